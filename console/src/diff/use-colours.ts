/** The colours of a diff's lines, made when somebody looks at them. */
import type { Colour } from '../code/highlight.ts';
import { type Highlighter, useHighlighter } from '../code/use-highlighter.ts';
import type { DiffHunk, DiffLine } from './parse-diff.ts';

/** The colours of a line; undefined while there are none. */
export type Colours = (hunk: DiffHunk, line: DiffLine) => readonly Colour[] | undefined;

/** So many lines are coloured together: enough for a comment over several, few enough not to be felt. */
const BLOCK = 300;
const MAX_CHARACTERS = 60_000;

const NONE: Colours = () => undefined;

let known: Colours | undefined;

/** Plain at first; coloured as soon as that can be. */
export function useColours(): Colours {
  const highlighter = useHighlighter();
  if (highlighter === undefined) return NONE;
  return (known ??= coloursBy(highlighter));
}

function coloursBy(by: Highlighter): Colours {
  const sides = new WeakMap<DiffHunk, Readonly<Record<'old' | 'now', Side>>>();
  return (hunk, line) => {
    if (hunk.language === '') return undefined;
    if (!sides.has(hunk)) sides.set(hunk, { old: sideOf(hunk, 'old'), now: sideOf(hunk, 'now') });
    const name = line.kind === 'removed' ? 'old' : 'now';
    const { lines, first, blocks } = sides.get(hunk)![name];
    const at = line[name]! - first;
    const block = Math.floor(at / BLOCK);
    if (!blocks.has(block)) {
      const together = lines.slice(block * BLOCK, (block + 1) * BLOCK);
      const length = together.reduce((sum, text) => sum + text.length, 0);
      blocks.set(block, length > MAX_CHARACTERS ? [] : by(hunk.language, together));
    }
    return blocks.get(block)![at - block * BLOCK];
  };
}

/** The lines of a hunk in one of its two files. */
interface Side {
  readonly lines: readonly string[];
  readonly first: number;
  readonly blocks: Map<number, readonly (readonly Colour[])[]>;
}

function sideOf({ lines }: DiffHunk, name: 'old' | 'now'): Side {
  const own = lines.filter((line) => line[name] !== undefined);
  return { lines: own.map(({ text }) => text), first: own[0]?.[name] ?? 0, blocks: new Map() };
}
