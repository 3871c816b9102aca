/** What waits for a person's answer: an approval, or a question of the agent. Nobody should take one for the other. */
import type { ApprovalAnswer, ApprovalRequest } from '../policy/approvals.ts';
import { describeRequest, shownLines } from '../policy/describe-request.ts';
import { shown } from '../shown.ts';
import type { UserAnswer, UserQuestion } from './people.ts';

export type AnyQuestion = ApprovalRequest | UserQuestion;
export type AnyAnswer = ApprovalAnswer | UserAnswer;

/** Whether a question is about permission. */
export function isApproval(question: AnyQuestion): question is ApprovalRequest {
  return !('kind' in question);
}

/** The whole question as text, the same wherever it is asked. */
export function describeQuestion(question: AnyQuestion): string {
  if (isApproval(question)) return describeRequest(question);
  return [askedBy(question), ...shownLines(question.message), ...offeredLines(question)].join('\n');
}

/** Who asks; what the agent wrote stands behind a bar, where it can't pass for words of ours. */
export function askedBy({ dialect, tool }: UserQuestion): string {
  return `The agent asks you something (${dialect}:${shown(tool)}). Whatever you answer allows nothing.`;
}

function offeredLines(question: UserQuestion): string[] {
  if (question.kind === 'text') return [];
  if (question.kind === 'choice')
    return question.choices.map((choice, index) => `  ${index + 1}  ${shown(choice)}`);
  const { chunks } = question;
  return chunks.flatMap((chunk) => [
    `Chunk ${chunk.number} of ${chunks.length}, ${shown(chunk.path)}`,
    ...shownLines(chunk.text),
  ]);
}

/** What can be answered on the command line. */
export function howToAnswer(question: AnyQuestion): string {
  return `Answer it with: handrail approvals answer ${question.id} ${answersTo(question)}`;
}

function answersTo(question: AnyQuestion): string {
  if (isApproval(question)) {
    const session = question.scope === 'single_action' ? [] : ['session'];
    const always = question.alwaysRule === undefined ? [] : ['always'];
    return ['once', ...session, ...always, 'deny', 'edit'].join('|');
  }
  if (question.kind === 'choice') return `1…${question.choices.length}, or --decline`;
  if (question.kind === 'text') return '"your text", or --decline';
  return 'all|none|1,3-5, with --comment "2: why not", or --decline';
}
