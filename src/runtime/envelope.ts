/** The envelope every call travels in, whatever the dialect: a request with its ids, and a result of one shape. */
import { z } from 'zod';
import { type Failure, FAILURE_CODES, type FailureCode } from '../failure.ts';
import { PERMISSIONS } from '../policy/access.ts';

const id = z.string().min(1).max(200);

/** A whole tool call as a client sends it. */
export const toolCallRequestSchema = z.strictObject({
  tool_call_id: id.describe('Unique in its session; the same id again means the same call'),
  name: z.string().min(1).max(200).describe('The tool'),
  version: z.string().min(1).max(50).optional().describe('The version the caller was written for'),
  // Not a record: that would drop a field called `__proto__` instead of letting the tool refuse it.
  args: z
    .custom<object>(
      (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
      'expected an object',
    )
    .describe('The arguments'),
  requested_permissions: z.array(z.enum(PERMISSIONS)).optional().describe('Narrows the call to these'),
  requires_approval: z.boolean().optional().describe('True raises allow to ask; false lowers nothing'),
  trace_id: id.optional().describe('Ties calls of one piece of work together'),
  timestamp: z.number().optional().describe('When the caller made it'),
});
export type ToolCallRequest = z.infer<typeof toolCallRequestSchema>;

/** The answer to every call. */
export const toolCallResultSchema = z.strictObject({
  tool_call_id: z.string(),
  ok: z.boolean(),
  payload: z.unknown().nullable().describe("The operation's data; null where it failed"),
  error: z
    .strictObject({
      code: z.enum(Object.keys(FAILURE_CODES) as [FailureCode, ...FailureCode[]]),
      message: z.string(),
      details: z.record(z.string(), z.unknown()).optional(),
    })
    .nullable(),
  artifacts: z
    .strictObject({
      files_changed: z.array(z.string()).optional(),
      commands_run: z.array(z.string()).optional(),
      processes_started: z
        .array(z.strictObject({ id: z.string(), pid: z.int(), command: z.string() }))
        .optional()
        .describe('What goes on after the call; undo does not end it'),
    })
    .optional(),
  duration_ms: z.number(),
});
export type ToolCallResult = z.infer<typeof toolCallResultSchema>;

/** A failure as the envelope carries it. */
export function envelopeError(failure: Failure): NonNullable<ToolCallResult['error']> {
  const details = { ...failure.details, ...(failure.hint === undefined ? {} : { hint: failure.hint }) };
  return {
    code: failure.code,
    message: failure.message,
    ...(Object.keys(details).length === 0 ? {} : { details }),
  };
}
