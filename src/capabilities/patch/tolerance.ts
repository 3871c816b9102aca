/**
 * How closely lines have to agree, from exact to tolerant. Each step compares lines by a key; what the keys leave out
 * is taken from the file afterwards. A step counts only where no stricter one fits anywhere.
 */
import type { Line } from './text-lines.ts';
import { plainCharacters } from './typography.ts';

export interface Tolerance {
  readonly key: (line: Line) => string;
  /** Texts agree to the letter; at most the line endings differ. */
  readonly isLiteral: boolean;
  /** Endings agree too. */
  readonly isExact: boolean;
  /** The difference in indentation has to be one that can be said for all lines at once. */
  readonly isReindented: boolean;
}

const literal = { isLiteral: true, isExact: false, isReindented: false };
const tolerant = { isLiteral: false, isExact: false, isReindented: false };

export const EXACT: Tolerance = { ...literal, isExact: true, key: ({ text, ending }) => text + ending };
export const LINE_ENDINGS: Tolerance = { ...literal, key: ({ text }) => text };

/** Steps that leave columns where they are, so that parts of lines can be found too. */
export const COLUMN_TOLERANCES: readonly Tolerance[] = [
  LINE_ENDINGS,
  { ...tolerant, key: ({ text }) => text.trimEnd() },
  { ...tolerant, key: ({ text }) => plainCharacters(text) },
  { ...tolerant, key: ({ text }) => plainCharacters(text).trimEnd() },
];

/** Steps for whole lines only. */
export const INDENT_TOLERANCES: readonly Tolerance[] = [
  { ...tolerant, isReindented: true, key: ({ text }) => text.trim() },
  { ...tolerant, isReindented: true, key: ({ text }) => plainCharacters(text).trim() },
];

export const TOLERANCES: readonly Tolerance[] = [EXACT, ...COLUMN_TOLERANCES, ...INDENT_TOLERANCES];
/** Those that are tried once lines at the edges of a hunk are left out of account. */
export const EDGE_TOLERANCES: readonly Tolerance[] = [
  LINE_ENDINGS,
  COLUMN_TOLERANCES.at(-1)!,
  INDENT_TOLERANCES.at(-1)!,
];

/** A file's lines with their keys, each kind made once. */
export class KeyedLines {
  readonly lines: readonly Line[];
  readonly #keys = new Map<Tolerance, readonly string[]>();

  constructor(lines: readonly Line[]) {
    this.lines = lines;
  }

  keys(tolerance: Tolerance): readonly string[] {
    const known = this.#keys.get(tolerance);
    if (known !== undefined) return known;
    const keys = this.lines.map(tolerance.key);
    this.#keys.set(tolerance, keys);
    return keys;
  }
}
