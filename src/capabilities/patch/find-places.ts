/** Every place of a file where lines fit at one tolerance. */
import { findSequence } from './find-sequence.ts';
import type { HunkLine } from './hunk.ts';
import { oldSide } from './hunk.ts';
import { indentOf, type IndentPair, reindentation } from './indentation.ts';
import type { Line } from './text-lines.ts';
import type { KeyedLines, Tolerance } from './tolerance.ts';
import { plainCharacters } from './typography.ts';

/** Where a hunk fits. */
export interface Place {
  /** The index of the first line it covers. */
  readonly start: number;
  /** How many lines it covers. */
  readonly length: number;
  readonly tolerance: Tolerance;
  /** The lines that fit here: the hunk's, without those at its edges that were left out of account. */
  readonly lines: readonly HunkLine[];
  /** Whether lines at the edges were left out of account. */
  readonly isTrimmed: boolean;
  /** What the indentation of its lines is in the file. */
  readonly indents: ReadonlyMap<string, string>;
}

/** So many lines are compared for one hunk at one tolerance; a file made to take longer has no fitting place. */
const MAX_COMPARED = 4_000_000;

/** The places where the old side of these lines stands. */
export function findPlaces(lines: readonly HunkLine[], file: KeyedLines, tolerance: Tolerance): Place[] {
  const old = oldSide(lines);
  const wanted = old.map(tolerance.key);
  // Blank lines alone would fit wherever there are some.
  if (!tolerance.isLiteral && wanted.every((key) => key === '')) return [];
  const starts = findSequence(file.keys(tolerance), wanted);
  const place = { length: old.length, tolerance, lines, isTrimmed: false };
  if (!tolerance.isReindented) return starts.map((start) => ({ ...place, start, indents: UNCHANGED }));
  const added = lines.filter(({ mark, text }) => mark === '+' && text.trim() !== '').map(indentOfLine);
  return starts.slice(0, Math.ceil(MAX_COMPARED / old.length)).flatMap((start) => {
    const indents = reindentation(indentPairs(old, file.lines, start), added);
    return indents === undefined ? [] : [{ ...place, start, indents }];
  });
}

const UNCHANGED: ReadonlyMap<string, string> = new Map();

/** The indentation of a line as given; blanks of any kind count as such. */
export function indentOfLine({ text }: Pick<Line, 'text'>): string {
  return indentOf(plainCharacters(text));
}

function indentPairs(old: readonly HunkLine[], found: readonly Line[], start: number): IndentPair[] {
  return old.flatMap((line, index) =>
    line.text.trim() === ''
      ? []
      : [{ given: indentOfLine(line), found: indentOf(found[start + index]!.text) }],
  );
}
