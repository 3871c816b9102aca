/** Where a text stands in a file at a tolerance that leaves columns alone; it may start and end within lines. */
import type { KeyedLines } from './keyed-lines.ts';
import { placesOf } from './text-edit.ts';
import { toLines } from './text-lines.ts';
import type { Tolerance } from './tolerance.ts';

export interface Position {
  readonly line: number;
  readonly column: number;
}

/** From a position to before another one; column 0 of the next line where the last line is whole. */
export interface Span {
  readonly start: Position;
  readonly end: Position;
}

/** Every place of the text. */
export function findSpans(file: KeyedLines, text: string, tolerance: Tolerance): Span[] {
  const lines = toLines(text);
  const last = lines.at(-1)!;
  const wanted = lines.map(tolerance.key).join('\n') + (last.ending === '' ? '' : '\n');
  if (wanted.trim() === '') return [];
  const keys = file.keys(tolerance);
  const all = `${keys.join('\n')}\n`;
  // Blanks at the end that the key leaves out must not make the text fit the beginning of a longer word.
  const endsLine = last.ending === '' && tolerance.key(last).length < last.text.length;
  const positionOf = positions(keys);
  return placesOf(all, wanted)
    .filter((at) => !endsLine || all[at + wanted.length] === '\n')
    .map((at) => ({ start: positionOf(at), end: positionOf(at + wanted.length) }));
}

/** Positions of offsets into the joined lines. */
function positions(keys: readonly string[]): (offset: number) => Position {
  const starts = [0];
  for (const key of keys) starts.push(starts.at(-1)! + key.length + 1);
  return (offset) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low, column: offset - starts[low]! };
  };
}
