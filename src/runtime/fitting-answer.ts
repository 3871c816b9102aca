/** Whether an answer is one to its question. Whoever takes answers from outside asks this first; who asked does so again. */
import type { ReviewComment, UserAnswer, UserQuestion } from './people.ts';

/** More than anybody types. */
const MAX_TEXT = 10_000;
const MAX_COMMENT = 2_000;

/** The answer as it counts, or what is wrong with it. */
export function fittingAnswer(
  question: UserQuestion,
  given: UserAnswer,
): { readonly answer: UserAnswer } | { readonly wrong: string } {
  const by = given.by === undefined ? {} : { by: given.by };
  if (given.kind === 'declined') {
    const reason = given.reason?.trim().slice(0, MAX_COMMENT).toWellFormed() ?? '';
    return { answer: { kind: 'declined', ...(reason === '' ? {} : { reason }), ...by } };
  }
  if (question.kind === 'choice' && given.kind === 'choice')
    return question.choices.includes(given.choice)
      ? { answer: { kind: 'choice', choice: given.choice, ...by } }
      : { wrong: 'That is none of the choices.' };
  if (question.kind === 'text' && given.kind === 'text') {
    const text = typeof given.text === 'string' ? given.text.slice(0, MAX_TEXT).toWellFormed() : '';
    return text.trim() === '' ? { wrong: 'The text is empty.' } : { answer: { kind: 'text', text, ...by } };
  }
  if (question.kind !== 'review' || given.kind !== 'review')
    return { wrong: 'That is an answer to another kind of question.' };
  const numbers = new Set(question.chunks.map(({ number }) => number));
  const taken = [...new Set(given.action === 'apply' ? given.taken : [])].sort((one, other) => one - other);
  const unknown = taken.find((number) => !numbers.has(number));
  if (unknown !== undefined) return { wrong: `There is no chunk ${unknown}.` };
  const comments = (given.comments ?? [])
    .filter(({ chunk }) => chunk === undefined || numbers.has(chunk))
    .flatMap(toComment);
  const action = taken.length === 0 ? 'cancel' : 'apply';
  return {
    answer: { kind: 'review', action, taken, ...(comments.length === 0 ? {} : { comments }), ...by },
  };
}

function toComment({ chunk, text }: ReviewComment): ReviewComment[] {
  const said = text.trim().slice(0, MAX_COMMENT).toWellFormed();
  return said === '' ? [] : [{ ...(chunk === undefined ? {} : { chunk }), text: said }];
}
