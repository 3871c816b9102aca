/** A line in parts that look the same throughout. */
import type { Span } from './changed-part.ts';
import type { Colour } from './highlight.ts';

export interface Segment extends Span {
  readonly name: string;
  readonly isChanged: boolean;
}

/** Cuts a line wherever its colour changes, and where the changed part begins and ends. All of it is in them, whatever the colours say. */
export function segments(text: string, colours: readonly Colour[], changed: Span | undefined): Segment[] {
  const cuts: Segment[] = [];
  const take = (from: number, to: number, name: string): void => {
    const edges = [changed?.from ?? from, changed?.to ?? from].filter((edge) => edge > from && edge < to);
    [from, ...edges].forEach((start, index) => {
      const isChanged = changed !== undefined && start >= changed.from && start < changed.to;
      cuts.push({ from: start, to: edges[index] ?? to, name, isChanged });
    });
  };
  let at = 0;
  for (const { length, name } of colours) {
    const end = Math.min(text.length, at + length);
    if (end > at) take(at, end, name);
    at = end;
  }
  if (at < text.length) take(at, text.length, '');
  return cuts;
}
