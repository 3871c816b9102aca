/** A call as a question to a human: tokens in it are masked, the hash is over the real call. */
import type { CallHead } from '../journal/audit-record.ts';
import { maskTokens, maskTokensIn } from '../journal/redact.ts';
import type { ResolvedAccess } from '../policy/access.ts';
import { approvalHash, type ApprovalRequest } from '../policy/approvals.ts';
import type { Decision } from '../policy/decide.ts';
import type { Rule } from '../policy/rule.ts';
import type { Preview } from './operation.ts';
import type { Tool } from './tool.ts';

export interface QuestionParts {
  readonly id: string;
  readonly head: CallHead;
  readonly tool: Tool;
  readonly input: unknown;
  readonly args: unknown;
  readonly accesses: readonly ResolvedAccess[];
  readonly decision: Extract<Decision, { action: 'ask' }>;
  /** What an answer "always" would write down. */
  readonly alwaysRule: Rule | undefined;
  readonly preview: Preview | undefined;
  /** Of the changes that the answer is about, where there are some already. */
  readonly changes?: string | undefined;
}

/** Puts the question together. */
export function toQuestion(parts: QuestionParts): ApprovalRequest {
  const { id, head, tool, input, args, accesses, decision, alwaysRule, preview, changes } = parts;
  const shownArgs = maskTokensIn(args);
  return {
    id,
    hash: approvalHash({
      tool: tool.name,
      version: tool.version,
      input,
      accesses,
      preview: preview?.text,
      changes,
    }),
    ...callIds(head),
    session: head.session,
    dialect: head.dialect,
    tool: tool.name,
    version: tool.version,
    operation: tool.operation.name,
    args: shownArgs,
    ...(JSON.stringify(shownArgs) === JSON.stringify(args) ? {} : { hasMaskedArgs: true }),
    // A copy: who answers must not change what runs.
    accesses: accesses.map((access) => withoutTokens(access)),
    reason: maskTokens(decision.reason),
    rule: decision.rule,
    scope: decision.scope,
    // A rule with the secret in it would be shown, and written down.
    alwaysRule:
      JSON.stringify(alwaysRule) === JSON.stringify(withoutTokens(alwaysRule)) ? alwaysRule : undefined,
    preview,
  };
}

/** Ours, and the caller's own where it has one. */
export function callIds({ call_id, tool_call_id }: CallHead): { callId: string; toolCallId?: string } {
  return call_id === tool_call_id ? { callId: call_id } : { callId: call_id, toolCallId: tool_call_id };
}

/** A command holds whatever was typed; a file is known by nothing but its name. */
function withoutTokens<Shown extends { readonly command?: unknown } | undefined>(shown: Shown): Shown {
  return (shown?.command === undefined ? { ...shown } : maskTokensIn(shown)) as Shown;
}
