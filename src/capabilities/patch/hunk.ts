/** A change of a part of a text: lines that stay, lines that go, lines that come, and what is known of the place. */
import { z } from 'zod';

const hunkLine = z.strictObject({
  mark: z.enum([' ', '-', '+']).describe('Stays, goes, comes'),
  text: z.string(),
  ending: z.enum(['', '\n', '\r\n']),
  bare: z.literal(true).optional().describe('It had no mark, and is taken to stay'),
});

export const hunkSchema = z.strictObject({
  lines: z.array(hunkLine),
  line: z.int().optional().describe('The first line of the old side, counted from 1, where it is believed'),
  headings: z.array(z.string()).describe('Lines that stand before the place, outermost first'),
  atEnd: z.boolean().describe('Whether it must reach the end of the file'),
  source: z.int().describe('The line of the patch it starts at'),
});

export type HunkLine = z.infer<typeof hunkLine>;
export type Hunk = z.infer<typeof hunkSchema>;

/** The side of a hunk that must be in the file. */
export function oldSide(lines: readonly HunkLine[]): HunkLine[] {
  return lines.filter(({ mark }) => mark !== '+');
}

/** The side of a hunk that will be in the file. */
export function newSide(lines: readonly HunkLine[]): HunkLine[] {
  return lines.filter(({ mark }) => mark !== '-');
}

/** How many lines that stay a hunk starts and ends with. */
export function edges(lines: readonly HunkLine[]): { readonly front: number; readonly back: number } {
  const first = lines.findIndex(({ mark }) => mark !== ' ');
  const last = lines.findLastIndex(({ mark }) => mark !== ' ');
  return first === -1 ? { front: lines.length, back: 0 } : { front: first, back: lines.length - 1 - last };
}
