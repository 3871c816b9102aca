/** Step 1 for whole requests: a `ToolCallRequest` of any origin to what the spine takes. */
import { Failure } from '../failure.ts';
import type { CallRequest } from './spine.ts';
import { explainIssue } from './explain-issue.ts';
import { toolCallRequestSchema } from './envelope.ts';

/** Opens a request; one of the wrong shape still becomes a call, so that it is audited, with the reason it is refused. */
export function openEnvelope(request: unknown): { readonly call: CallRequest; readonly refusal?: Failure } {
  const parsed = toolCallRequestSchema.safeParse(request);
  if (!parsed.success) {
    const where = parsed.error.issues.map((issue) => explainIssue(issue, request, 'the request'));
    const refusal = new Failure('E_INVALID_ARGS', `This is not a tool call request. ${where.join('; ')}.`, {
      hint: 'It needs tool_call_id, name and args.',
    });
    return {
      call: { tool: textIn(request, 'name') ?? '(none)', id: textIn(request, 'tool_call_id'), args: {} },
      refusal,
    };
  }
  const { tool_call_id, name, version, args, requested_permissions, requires_approval, trace_id } =
    parsed.data;
  return {
    call: {
      tool: name,
      args,
      version,
      id: tool_call_id,
      traceId: trace_id,
      requestedPermissions: requested_permissions,
      requiresApproval: requires_approval,
    },
  };
}

/** What can be saved of a request that is not one. */
function textIn(request: unknown, field: string): string | undefined {
  const found =
    typeof request === 'object' && request !== null ? (request as Record<string, unknown>)[field] : undefined;
  return typeof found === 'string' && found.length <= 200 ? found : undefined;
}
