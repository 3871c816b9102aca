/**
 * The user, as the operation of one call reaches them. What is shown and asked is masked, and told to everyone who
 * listens; a question waits at the desk like an approval does, and its answer counts only where it fits.
 */
import { hash } from 'node:crypto';
import { Failure } from '../failure.ts';
import { maskTokens, maskTokensIn } from '../journal/redact.ts';
import { answerInTime } from '../policy/answer-in-time.ts';
import { shown } from '../shown.ts';
import type { CallRecord } from './call-record.ts';
import { fittingAnswer } from './fitting-answer.ts';
import type { GivenAnswer, ScopedPeople } from './operation.ts';
import { callIds } from './question.ts';
import type { Asked, DisplayMessage, UserAnswer, UserQuestion } from './people.ts';
import type { Session } from './session.ts';
import type { CallRequest, Spine } from './spine.ts';

export interface PeopleScope {
  readonly request: CallRequest;
  readonly record: CallRecord;
  readonly session: Session;
  readonly spine: Spine;
  readonly signal: AbortSignal;
}

/** The port of a call. */
export function scopePeople({ request, record, session, spine, signal }: PeopleScope): ScopedPeople {
  return {
    async display(message) {
      const masked = maskTokensIn(message) as DisplayMessage;
      const isHeard = record.emit({ type: 'displayed', message: masked });
      // Whoever looks from elsewhere is not worth a failure.
      const isSeen = await spine.show(masked, session.id).catch(() => false);
      return isHeard || isSeen;
    },
    async ask<Kind extends Asked['kind']>(asked: Extract<Asked, { kind: Kind }>) {
      if (record.judged?.accesses.some(({ permission }) => permission === 'user.ask') !== true)
        throw new Error('The operation asks the user without having declared it.');
      const question = toUserQuestion(asked, record, session, spine.host.ids.next('que'));
      record.emit({ type: 'question-asked', question });
      const given = await record.span.part('wait_for_answer', () =>
        answerInTime((ended) => spine.prompterFor(request)(question, ended), {
          signal,
          timeoutMs: spine.approvalTimeoutMs,
          late: () => unanswered('Nobody answered in time.'),
        }),
      );
      const answer = checked(question, given);
      record.answeredBy = answer.by ?? 'callback';
      record.emit({ type: 'question-answered', question: question.id, answer: answer.kind });
      if (answer.kind === 'declined') throw unanswered(answer.reason ?? 'The user does not want to answer.');
      return asAsked(answer, asked, question) as GivenAnswer<Kind>;
    },
  };
}

/** The failure where nobody can be asked: at once, and with the way to go on. */
export function nobodyToPrompt(): Failure {
  return unanswered('Nobody can be asked here.');
}

/** The failure of a caller that can't wait any longer, while the question stays open. */
export function questionPending({ id }: UserQuestion): Failure {
  return new Failure('E_PENDING', `The question ${id} is open; nobody has answered it yet.`, {
    hint: `Send exactly the same call again to wait for the answer. The user answers with \`handrail approvals answer ${id}\`, or on the page of \`handrail serve\`.`,
    details: { question: id },
  });
}

function unanswered(reason: string): Failure {
  return new Failure('E_DENIED', reason, {
    hint: 'Go on without the answer, or put the question into your reply to the user.',
  });
}

function toUserQuestion(asked: Asked, record: CallRecord, session: Session, id: string): UserQuestion {
  const { dialect } = record.head;
  const { name: tool, version } = record.tool!;
  const masked = maskAsked(asked);
  if (masked.kind === 'choice' && new Set(masked.choices.map(shown)).size < masked.choices.length)
    throw new Failure('E_INVALID_ARGS', 'Two of the choices look the same.', {
      hint: 'Secrets in them are masked.',
    });
  return {
    ...masked,
    id,
    // Over what is really asked, not over what is shown of it.
    hash: hash('sha256', JSON.stringify(['question', tool, version, asked])),
    ...callIds(record.head),
    session: session.id,
    dialect,
    tool,
  };
}

function maskAsked(asked: Asked): Asked {
  const message = maskTokens(asked.message);
  if (asked.kind === 'choice') return { ...asked, message, choices: asked.choices.map(maskTokens) };
  if (asked.kind === 'text') return { ...asked, message };
  const chunks = asked.chunks.map((chunk) => ({ ...chunk, text: maskTokens(chunk.text) }));
  return { ...asked, message, chunks };
}

/** Only what fits is an answer, whatever a callback makes up. */
function checked(question: UserQuestion, given: UserAnswer): UserAnswer {
  const fitting = fittingAnswer(question, given);
  if ('wrong' in fitting) throw unanswered(`The answer did not fit the question. ${fitting.wrong}`);
  return fitting.answer;
}

/** A choice as the agent wrote it, where a token in it was masked for people. */
function asAsked(answer: UserAnswer, asked: Asked, question: UserQuestion): UserAnswer {
  if (answer.kind !== 'choice' || asked.kind !== 'choice' || question.kind !== 'choice') return answer;
  return { ...answer, choice: asked.choices[question.choices.indexOf(answer.choice)]! };
}
