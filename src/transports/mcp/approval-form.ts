/** A question as a form that a client shows, and what a person filled in as an answer. Whatever is no clear yes is a no. */
import type { ElicitRequestFormParams } from '@modelcontextprotocol/server';
import type { ApprovalAnswer, ApprovalRequest } from '../../policy/approvals.ts';
import { describeQuestion } from '../../runtime/any-question.ts';

/** What still fits a dialog. */
const MAX_MESSAGE = 6_000;
const MAX_REASON = 2_000;
const BY = 'MCP client';

/** The form for a question. */
export function toForm(request: ApprovalRequest): ElicitRequestFormParams {
  const offered = offeredAnswers(request);
  return {
    mode: 'form',
    message: formMessage(describeQuestion(request), request.id),
    requestedSchema: {
      type: 'object',
      properties: {
        answer: {
          type: 'string',
          title: 'Answer',
          description: offered.map((answer) => `${answer}: ${MEANINGS[answer]}`).join('; '),
          enum: offered,
        },
        reason: { type: 'string', title: 'Reason', description: 'With deny: what the agent reads' },
      },
      required: ['answer'],
    },
  };
}

/** What came back from the form. */
export interface FilledForm {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: Readonly<Record<string, unknown>> | undefined;
}

/** What a person said. */
export function toAnswer({ action, content }: FilledForm, request: ApprovalRequest): ApprovalAnswer {
  if (action === 'cancel') return { answer: 'deny', by: BY, reason: 'The question was dismissed.' };
  const answer = offeredAnswers(request).find((offered) => offered === content?.['answer']);
  if (action === 'accept' && answer !== undefined && answer !== 'deny') return { answer, by: BY };
  const { reason } = content ?? {};
  const isReason = typeof reason === 'string' && reason.trim() !== '';
  return { answer: 'deny', by: BY, ...(isReason ? { reason: reason.slice(0, MAX_REASON) } : {}) };
}

/** The answer of a client that says it can be asked, and then fails to. */
export function notAsked(error: unknown): ApprovalAnswer {
  const why = error instanceof Error ? error.message : String(error);
  return { answer: 'deny', by: BY, reason: `The client could not ask: ${why.slice(0, MAX_REASON)}` };
}

type OfferedAnswer = 'once' | 'session' | 'always' | 'deny';

const MEANINGS: Readonly<Record<OfferedAnswer, string>> = {
  once: 'this call',
  session: 'calls like it, until the client ends',
  always: 'write the rule that is shown',
  deny: 'no',
};

function offeredAnswers({ scope, alwaysRule }: ApprovalRequest): OfferedAnswer[] {
  const session: OfferedAnswer[] = scope === 'single_action' ? [] : ['session'];
  const always: OfferedAnswer[] = alwaysRule === undefined ? [] : ['always'];
  return ['once', ...session, ...always, 'deny'];
}

/** A question as far as it fits a dialog. */
export function formMessage(text: string, id: string): string {
  if (text.length <= MAX_MESSAGE) return text;
  // First, where it can't be overlooked: what is not seen should not be approved.
  const note = `Not all of it is shown here. \`handrail approvals show ${id}\` shows it whole.`;
  return `${note}\n${text.slice(0, MAX_MESSAGE).toWellFormed()}\n[${text.length - MAX_MESSAGE} more characters]`;
}
