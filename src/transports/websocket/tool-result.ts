/** The result of a call as a message: a dialect that speaks in such messages says it itself. */
import type { CallResponse } from '../../runtime/spine.ts';

export function toToolResult(call_id: string, { reply, result, outcome }: CallResponse): object {
  if (typeof reply === 'object' && reply !== null && 'type' in reply && reply.type === 'tool_result')
    return { ...reply, call_id };
  const head = { type: 'tool_result', call_id };
  if (outcome === 'ok' || result.error === null) return { ...head, result: reply };
  const { code, message } = result.error;
  return { ...head, error: { code, message }, result: reply };
}
