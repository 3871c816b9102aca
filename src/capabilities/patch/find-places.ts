/** Every place of a file where lines fit at one tolerance. */
import { edges, type HunkLine, oldSide } from './hunk.ts';
import { indentOf, type IndentPair, reindentation } from './indentation.ts';
import type { KeyedLines } from './keyed-lines.ts';
import type { Line } from './text-lines.ts';
import type { Tolerance } from './tolerance.ts';
import { plainCharacters } from './typography.ts';

/** Lines that fit somewhere. */
interface Fit {
  readonly tolerance: Tolerance;
  /** The lines that fit: the hunk's, without those at its edges that were left out of account. */
  readonly lines: readonly HunkLine[];
  /** Whether lines at the edges were left out of account. */
  readonly isTrimmed: boolean;
  /** How many lines of the file are covered. */
  readonly length: number;
  /** How many of them stay at the start, before anything changes. */
  readonly front: number;
  /** How many of them stand between the first and the last change. */
  readonly changed: number;
}

/** Where lines fit. */
export interface Place extends Fit {
  /** The index of the first line of the file that is covered. */
  readonly start: number;
  /** What the indentation of the lines is in the file, where it differs. */
  readonly indents: ReadonlyMap<string, string>;
}

/** The lines that change at a place: without those that stay at its edges. */
export function changedSpan({ start, front, changed }: Place): {
  readonly start: number;
  readonly end: number;
} {
  return { start: start + front, end: start + front + changed };
}

/** More places than this are not told apart; one more is returned then, and the one at `line` if that fits. */
export const MAX_PLACES = 200;
/** Indentation is compared over so many lines at most. */
const MAX_COMPARED = 400_000;

/** The places where the old side of these lines stands. */
export function findPlaces(
  lines: readonly HunkLine[],
  file: KeyedLines,
  tolerance: Tolerance,
  line?: number,
): Place[] {
  const old = oldSide(lines);
  const wanted = old.map(tolerance.key);
  // Blank lines alone would fit wherever there are some.
  if (!tolerance.isLiteral && wanted.every((key) => key === '')) return [];
  const all = file.find(tolerance, wanted);
  const starts = all.filter((start, index) => index <= MAX_PLACES || start + 1 === line);
  const fit = toFit(lines, tolerance);
  if (!tolerance.isReindented) return starts.map((start) => ({ ...fit, start, indents: UNCHANGED }));
  // Where there are that many, more than one of them will do, and then none does.
  const looked = starts.slice(0, Math.max(2, MAX_COMPARED / old.length));
  const added = lines.filter(({ mark, text }) => mark === '+' && text.trim() !== '').map(indentOfLine);
  return looked.flatMap((start) => {
    const indents = reindentation(indentPairs(old, file.lines, start), added);
    return indents === undefined ? [] : [{ ...fit, start, indents }];
  });
}

/** Fewer lines than this are found at a wrong number too easily. */
const MIN_LINES = 3;

/** A number tells places apart that fit to the letter; a tolerant match has to be the only one. */
export function isNumberEnough({ tolerance, isTrimmed, length }: Place): boolean {
  return tolerance.isLiteral && !isTrimmed && length >= MIN_LINES;
}

const UNCHANGED: ReadonlyMap<string, string> = new Map();

/** What lines are wherever they fit. */
export function toFit(lines: readonly HunkLine[], tolerance: Tolerance): Fit {
  const { front, back } = edges(lines);
  const length = oldSide(lines).length;
  return { tolerance, lines, isTrimmed: false, length, front, changed: length - front - back };
}

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
