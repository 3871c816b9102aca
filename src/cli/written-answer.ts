/** An answer as it is written on the command line. */
import { fittingAnswer } from '../runtime/fitting-answer.ts';
import type { ReviewComment, UserAnswer, UserQuestion } from '../runtime/people.ts';
import { UsageError } from './exit-code.ts';

export interface WrittenAnswer {
  readonly answer?: string | undefined;
  readonly decline?: boolean;
  readonly reason?: string;
  readonly comment?: readonly string[];
}

/** What a person answers to a question of the agent. */
export function toUserAnswer(question: UserQuestion, written: WrittenAnswer, by: string): UserAnswer {
  const fitting = fittingAnswer(question, given(question, written, by));
  if ('wrong' in fitting) throw new UsageError(fitting.wrong);
  return fitting.answer;
}

function given(
  question: UserQuestion,
  { answer, decline, reason, comment = [] }: WrittenAnswer,
  by: string,
): UserAnswer {
  if (comment.length > 0 && question.kind !== 'review') throw new UsageError('--comment goes with a review.');
  if (decline === true) {
    if (answer !== undefined) throw new UsageError('--decline goes without an answer.');
    return { kind: 'declined', by, ...(reason === undefined ? {} : { reason }) };
  }
  if (reason !== undefined) throw new UsageError('--reason goes with --decline here.');
  if (answer === undefined) throw new UsageError('give an answer, or --decline.');
  if (question.kind === 'text') return { kind: 'text', text: answer, by };
  if (question.kind === 'choice') return { kind: 'choice', choice: chosen(question.choices, answer), by };
  const taken = chunksIn(answer, question.chunks.length);
  return { kind: 'review', action: 'apply', taken, comments: comment.map(toComment), by };
}

/** By its words; else by its number. */
function chosen(choices: readonly string[], answer: string): string {
  if (choices.includes(answer) || !/^\d+$/.test(answer)) return answer;
  return choices[Number(answer) - 1] ?? answer;
}

/** `all`, `none`, or numbers such as `1,3-5`. */
function chunksIn(answer: string, total: number): number[] {
  if (answer === 'none') return [];
  const ranges = answer === 'all' ? [`1-${total}`] : answer.split(',');
  return ranges.flatMap((range) => {
    const [, first, last = first] = /^\s*(\d{1,4})\s*(?:-\s*(\d{1,4})\s*)?$/.exec(range) ?? [];
    if (first === undefined)
      throw new UsageError(
        `the answer is all, none, or chunks such as 1,3-5, not ${JSON.stringify(answer)}.`,
      );
    return Array.from(
      { length: Math.max(0, Number(last) - Number(first) + 1) },
      (_, at) => Number(first) + at,
    );
  });
}

/** `2: why` is about a chunk; without a number it is about the whole. */
function toComment(written: string): ReviewComment {
  const [, chunk, text = written] = /^\s*(\d{1,4})\s*:([^]*)$/.exec(written) ?? [];
  return { ...(chunk === undefined ? {} : { chunk: Number(chunk) }), text };
}
