/** The review of a patch as state: what is looked at, what is taken, and what is said about it. */
import type { ReviewChunk } from '../../questions/question.ts';

export interface Review {
  readonly chunks: readonly ReviewChunk[];
  /** The chunk that is looked at, counted from 0. */
  readonly at: number;
  /** By number. */
  readonly taken: ReadonlySet<number>;
  readonly comments: ReadonlyMap<number, string>;
}

export type ReviewStep =
  | { readonly do: 'look'; readonly at: number }
  | { readonly do: 'toggle'; readonly numbers: readonly number[] }
  | { readonly do: 'take all' | 'take none' }
  | { readonly do: 'comment'; readonly number: number; readonly text: string };

/** A review at its first chunk, with nothing taken. */
export function startReview(chunks: readonly ReviewChunk[]): Review {
  return { chunks, at: 0, taken: new Set(), comments: new Map() };
}

/** The review after a step. */
export function step(review: Review, taken: ReviewStep): Review {
  const { chunks } = review;
  if (taken.do === 'look') return { ...review, at: Math.max(0, Math.min(chunks.length - 1, taken.at)) };
  if (taken.do === 'toggle') return { ...review, taken: toggled(review.taken, taken.numbers) };
  if (taken.do === 'comment') return { ...review, comments: commented(review.comments, taken) };
  return { ...review, taken: new Set(taken.do === 'take all' ? chunks.map(({ number }) => number) : []) };
}

/** An empty comment takes back an earlier one. */
function commented(
  comments: ReadonlyMap<number, string>,
  { number, text }: { readonly number: number; readonly text: string },
): ReadonlyMap<number, string> {
  const others = [...comments].filter(([of]) => of !== number);
  return new Map(text.trim() === '' ? others : [...others, [number, text.trim()]]);
}

/** The numbers of the chunks of a file. */
export function numbersOf({ chunks }: Review, path: string): number[] {
  return chunks.filter((chunk) => chunk.path === path).map(({ number }) => number);
}

/** All of them, unless all are there already. */
function toggled(taken: ReadonlySet<number>, numbers: readonly number[]): ReadonlySet<number> {
  return numbers.every((number) => taken.has(number))
    ? new Set([...taken].filter((number) => !numbers.includes(number)))
    : new Set([...taken, ...numbers]);
}

/** What goes back to the agent; without chunks nothing is applied. */
export function answerOf(
  { taken, comments }: Review,
  overall: string,
): {
  readonly kind: 'review';
  readonly action: 'apply' | 'cancel';
  readonly taken: number[];
  readonly comments: { chunk?: number; text: string }[];
} {
  const said = [...comments].map(([chunk, text]) => ({ chunk, text }));
  return {
    kind: 'review',
    action: taken.size === 0 ? 'cancel' : 'apply',
    taken: [...taken].sort((one, other) => one - other),
    comments: overall.trim() === '' ? said : [...said, { text: overall.trim() }],
  };
}
