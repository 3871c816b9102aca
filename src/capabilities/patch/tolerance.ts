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
  /** Look-alike characters count as the same. */
  readonly isPlain: boolean;
  /** Indentation may differ, in a way that can be said for all lines at once. */
  readonly isReindented: boolean;
}

const tolerant = { isLiteral: false, isExact: false, isPlain: false, isReindented: false };

export const EXACT: Tolerance = {
  ...tolerant,
  isLiteral: true,
  isExact: true,
  key: ({ text, ending }) => text + ending,
};
export const LINE_ENDINGS: Tolerance = { ...tolerant, isLiteral: true, key: ({ text }) => text };
const TRAILING_BLANKS: Tolerance = { ...tolerant, key: ({ text }) => text.trimEnd() };
const TYPOGRAPHY: Tolerance = { ...tolerant, isPlain: true, key: ({ text }) => plainCharacters(text) };
const BLANKS_AND_TYPOGRAPHY: Tolerance = {
  ...tolerant,
  isPlain: true,
  key: ({ text }) => plainCharacters(text).trimEnd(),
};
const INDENTATION: Tolerance = { ...tolerant, isReindented: true, key: ({ text }) => text.trim() };
const ALL_OF_THEM: Tolerance = {
  ...tolerant,
  isReindented: true,
  isPlain: true,
  key: ({ text }) => plainCharacters(text).trim(),
};

/** Steps that leave columns where they are, so that parts of lines can be found too. */
export const COLUMN_TOLERANCES: readonly Tolerance[] = [
  LINE_ENDINGS,
  TRAILING_BLANKS,
  TYPOGRAPHY,
  BLANKS_AND_TYPOGRAPHY,
];
/** Steps for whole lines only. */
export const INDENT_TOLERANCES: readonly Tolerance[] = [INDENTATION, ALL_OF_THEM];
export const TOLERANCES: readonly Tolerance[] = [EXACT, ...COLUMN_TOLERANCES, ...INDENT_TOLERANCES];
