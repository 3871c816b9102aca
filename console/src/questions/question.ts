/** Questions that wait for a person: about permission, and of agents. */
import type { OutputOf } from '../../../src/client/index.ts';

export type Question = OutputOf<'listApprovals'>['approvals'][number];
type Request = Question['request'];
type Asked = Extract<Request, { kind: string }>;
export type PermissionQuestion = Question & { readonly request: Exclude<Request, Asked> };
export type AgentQuestion = Question & { readonly request: Asked };
export type ReviewQuestion = Question & { readonly request: Extract<Asked, { kind: 'review' }> };
export type Access = PermissionQuestion['request']['accesses'][number];
export type ReviewChunk = ReviewQuestion['request']['chunks'][number];

/** Whether it is about permission. */
export function isPermission(question: Question): question is PermissionQuestion {
  return !('kind' in question.request);
}

/** Whether it is about the chunks of a patch. */
export function isReview(question: Question): question is ReviewQuestion {
  return 'kind' in question.request && question.request.kind === 'review';
}

/** What it is about, in a few words. */
export function titleOf(question: Question): string {
  if (isPermission(question)) return question.request.tool;
  return isReview(question) ? 'Patch review' : 'The agent asks';
}

/** Its first words. */
export function gistOf(question: Question): string {
  if (!isPermission(question)) return firstLine((question as AgentQuestion).request.message);
  const { accesses, reason } = question.request;
  const main = accesses.find(({ command }) => command !== undefined) ?? accesses[0];
  return firstLine(main?.url ?? main?.command?.text ?? main?.resource ?? reason);
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]!;
}
