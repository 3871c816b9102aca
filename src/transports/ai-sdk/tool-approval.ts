/** The SDK's approval flow with the whole question: what would be asked, and the change as it would be made. */
import type { Tool, ToolApprovalStatus, ToolSet } from 'ai';

/** What the SDK tells about a call when it asks whether a user must approve it. */
export interface AskedCall {
  readonly toolCallId: string;
  readonly messages: Parameters<NonNullable<Tool['onInputStart']>>[0]['messages'];
}

/** The question to a user about a call; undefined where nothing would be asked. */
export type Asking = (args: unknown, call: AskedCall) => Promise<string | undefined>;

const askingOf = new WeakMap<object, Asking>();

/** Notes how a tool's calls are asked about; without `toolApproval` they pause as well, but show no question. */
export function asked<Asked extends object>(tool: Asked, asking: Asking): Asked {
  askingOf.set(tool, asking);
  return tool;
}

/**
 * For `toolApproval` of `streamText`, `generateText` and agents: pauses the calls that would be asked about, with the
 * question as the reason. Other people's tools in the set are left to their own ways.
 */
export function toolApproval(
  set: ToolSet,
): Record<string, (args: unknown, call: AskedCall) => Promise<ToolApprovalStatus>> {
  const found = Object.entries(set).flatMap(([name, tool]) => {
    const asking = askingOf.get(tool);
    return asking === undefined ? [] : [[name, asking] as const];
  });
  return Object.fromEntries(
    found.map(([name, asking]) => [
      name,
      async (args, call) => {
        const reason = await asking(args, call);
        return reason === undefined ? 'not-applicable' : { type: 'user-approval', reason };
      },
    ]),
  );
}

/** Whether a call comes back with the user's answer: the SDK then asks once more, about what was asked already. */
export function isAnswered({ toolCallId, messages }: AskedCall): boolean {
  const last = messages.at(-1);
  if (last?.role !== 'tool') return false;
  const answered = new Set(
    last.content.flatMap((part) => (part.type === 'tool-approval-response' ? [part.approvalId] : [])),
  );
  return messages.some(
    ({ role, content }) =>
      role === 'assistant' &&
      typeof content !== 'string' &&
      content.some(
        (part) =>
          part.type === 'tool-approval-request' &&
          part.toolCallId === toolCallId &&
          answered.has(part.approvalId),
      ),
  );
}
