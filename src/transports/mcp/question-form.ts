/** A question of the agent as a form that a client shows, and what a person filled in. What does not fit is no answer. */
import type { ElicitRequestFormParams } from '@modelcontextprotocol/server';
import { describeQuestion } from '../../runtime/any-question.ts';
import { fittingAnswer } from '../../runtime/fitting-answer.ts';
import type { UserAnswer, UserQuestion } from '../../runtime/people.ts';
import { shown } from '../../shown.ts';
import { type FilledForm, formMessage } from './approval-form.ts';

const BY = 'MCP client';

/** The form for a question; none of its fields has the name that approvals use. */
export function toQuestionForm(question: UserQuestion): ElicitRequestFormParams {
  return {
    mode: 'form',
    message: formMessage(describeQuestion(question), question.id),
    requestedSchema: { type: 'object', ...fieldsOf(question) },
  };
}

function fieldsOf(
  question: UserQuestion,
): Pick<ElicitRequestFormParams['requestedSchema'], 'properties' | 'required'> {
  if (question.kind === 'choice')
    return {
      properties: { choice: { type: 'string', title: 'Choice', enum: question.choices.map(shown) } },
      required: ['choice'],
    };
  if (question.kind === 'text')
    return { properties: { text: { type: 'string', title: 'Your answer' } }, required: ['text'] };
  return {
    properties: {
      take: {
        type: 'string',
        title: 'Take',
        description: 'all of the chunks, none, or those that you name below',
        enum: ['all', 'none', 'some'],
      },
      chunks: { type: 'string', title: 'Chunks', description: 'With some: their numbers, such as 1, 3, 5' },
      comment: { type: 'string', title: 'Comment', description: 'For the agent to read' },
    },
    required: ['take'],
  };
}

/** What a person said. */
export function toUserAnswer({ action, content = {} }: FilledForm, question: UserQuestion): UserAnswer {
  const declined: UserAnswer = { kind: 'declined', by: BY };
  if (action !== 'accept') return declined;
  const given = toGiven(content, question);
  const fitting = given === undefined ? undefined : fittingAnswer(question, { ...given, by: BY });
  return fitting !== undefined && 'answer' in fitting ? fitting.answer : declined;
}

/** The answer of a client that says it can be asked, and then fails to. */
export function notPrompted(error: unknown): UserAnswer {
  const why = error instanceof Error ? error.message : String(error);
  return { kind: 'declined', by: BY, reason: `The client could not ask: ${why}` };
}

function toGiven(content: Readonly<Record<string, unknown>>, question: UserQuestion): UserAnswer | undefined {
  const { choice, text, take, chunks, comment } = content;
  if (question.kind === 'choice') {
    const chosen = question.choices.find((offered) => shown(offered) === choice);
    return chosen === undefined ? undefined : { kind: 'choice', choice: chosen };
  }
  if (question.kind === 'text') return typeof text === 'string' ? { kind: 'text', text } : undefined;
  const all = question.chunks.map(({ number }) => number);
  const named = typeof chunks === 'string' ? (chunks.match(/\d{1,4}/g) ?? []).map(Number) : [];
  const taken = take === 'all' ? all : take === 'some' ? named : [];
  const comments = typeof comment === 'string' ? [{ text: comment }] : [];
  return { kind: 'review', action: 'apply', taken, comments };
}
