/** The review of a patch by key, as state: what there is to see, what a key makes of it, and the answer in the end. */
import type { ReviewComment, UserAnswer, UserQuestion } from '../runtime/people.ts';
import { shown } from '../shown.ts';

export type ReviewQuestion = Extract<UserQuestion, { kind: 'review' }>;

export interface Review {
  readonly question: ReviewQuestion;
  /** The chunk that is looked at, counted from 0. */
  readonly at: number;
  readonly taken: ReadonlySet<number>;
  readonly comments: readonly ReviewComment[];
  /** What the person wants to see or do before they go on. */
  readonly aside?: 'help' | 'comment' | undefined;
  readonly isCancelled: boolean;
}

/** A review at its first chunk. */
export function startReview(question: ReviewQuestion): Review {
  return { question, at: 0, taken: new Set(), comments: [], isCancelled: false };
}

const KEYS: Readonly<Record<string, string>> = {
  y: 'take this chunk',
  n: 'leave it',
  a: 'take it and all of the rest',
  d: 'leave it and all of the rest',
  c: 'say something about it',
  b: 'back to the one before',
  q: 'take nothing at all',
  '?': 'this help',
};

/** The review after a key; the same where the key means nothing. */
export function pressKey(review: Review, key: string): Review {
  const plain = { ...review, aside: undefined };
  const { chunks } = review.question;
  const here = chunks[review.at]!.number;
  const rest = chunks.slice(review.at).map(({ number }) => number);
  switch (key.toLowerCase()) {
    case 'y':
      return { ...plain, at: review.at + 1, taken: new Set([...review.taken, here]) };
    case 'n':
      return { ...plain, at: review.at + 1, taken: without(review.taken, [here]) };
    case 'a':
      return { ...plain, at: chunks.length, taken: new Set([...review.taken, ...rest]) };
    case 'd':
      return { ...plain, at: chunks.length, taken: without(review.taken, rest) };
    case 'b':
      return { ...plain, at: Math.max(0, review.at - 1) };
    case 'c':
      return { ...plain, aside: 'comment' };
    case 'q':
      return { ...plain, at: chunks.length, taken: new Set(), isCancelled: true };
    case '?':
      return { ...plain, aside: 'help' };
    default:
      return review;
  }
}

/** The review with a comment on the chunk that is looked at; an empty one takes back an earlier one. */
export function commentOn(review: Review, text: string): Review {
  const chunk = review.question.chunks[review.at]!.number;
  const others = review.comments.filter((comment) => comment.chunk !== chunk);
  const comments = text.trim() === '' ? others : [...others, { chunk, text: text.trim() }];
  return { ...review, comments, aside: undefined };
}

/** The lines to show: the chunk as a diff, with control characters neutralised, or the help. */
export function reviewLines({ question, at, aside, comments }: Review): string[] {
  if (aside === 'help') return Object.entries(KEYS).map(([key, meaning]) => `  ${key}  ${meaning}`);
  const chunk = question.chunks[at]!;
  const comment = comments.find((one) => one.chunk === chunk.number);
  return [
    ...chunk.text
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => `  | ${shown(line)}`),
    ...(comment === undefined ? [] : [`  Your comment: ${shown(comment.text)}`]),
  ];
}

/** What is asked about the chunk that is looked at. */
export function reviewPrompt({ question, at }: Review): string {
  const { number, path } = question.chunks[at]!;
  const keys = Object.keys(KEYS).join(',');
  return `Chunk ${number} of ${question.chunks.length}, ${shown(path)}: take it [${keys}]? `;
}

/** The answer, once every chunk was decided about. */
export function reviewAnswer(review: Review, by: string): UserAnswer | undefined {
  const { question, at, taken, comments, isCancelled } = review;
  if (at < question.chunks.length) return undefined;
  const isTaken = !isCancelled && taken.size > 0;
  return {
    kind: 'review',
    action: isTaken ? 'apply' : 'cancel',
    taken: isTaken ? [...taken].sort((one, other) => one - other) : [],
    comments,
    by,
  };
}

function without(taken: ReadonlySet<number>, left: readonly number[]): ReadonlySet<number> {
  return new Set([...taken].filter((number) => !left.includes(number)));
}
