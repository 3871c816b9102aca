/** The lines of a part that are shown for a question: those around most of its words. */
import { wordsOf } from '../../../code-words.ts';
import { definitionsIn } from './definitions.ts';
import type { Span } from './split-parts.ts';

const SHOWN_LINES = 12;
const MAX_CHARACTERS = 240;
/** So far above a part what it stands in is looked for. */
const LINES_ABOVE = 100;

/** The lines of a part with the most different words, within the room there is. */
export function bestLines(lines: readonly string[], part: Span, words: ReadonlySet<string>): Span {
  if (part.end - part.start <= SHOWN_LINES) return part;
  const found = lines
    .slice(part.start, part.end)
    .map((line) => wordsOf(line).filter((word) => words.has(word)));
  let best = { at: 0, worth: -1 };
  for (let at = 0; at + SHOWN_LINES <= found.length; at++) {
    const shown = found.slice(at, at + SHOWN_LINES);
    // Different words first, then how many; then as much of what leads to them as of what follows.
    const worth = new Set(shown.flat()).size * 100 + shown.flat().length;
    if (worth > best.worth) best = { at, worth };
  }
  return { start: part.start + best.at, end: part.start + best.at + SHOWN_LINES };
}

/** Lines as they are shown; long ones are cut. */
export function shownText(lines: readonly string[], { start, end }: Span): string {
  const cut = (line: string): string =>
    line.length <= MAX_CHARACTERS
      ? line
      : `${line.slice(0, MAX_CHARACTERS).replace(/[\ud800-\udbff]$/, '')} [line cut here]`;
  return lines.slice(start, end).map(cut).join('\n');
}

/** What a part is about: the definition in it that fits the words best, or the one that it stands in. */
export function symbolOf(
  lines: readonly string[],
  { start, end, path }: Span & { readonly path: string },
  words: ReadonlySet<string>,
): { readonly name: string; readonly fit: number } | undefined {
  const first = Math.max(0, start - LINES_ABOVE);
  let best: { name: string; fit: number } | undefined;
  for (const { name, line } of definitionsIn(lines.slice(first, end), path)) {
    const isAbove = first + line < start;
    const fit = isAbove ? 0 : fitOf(name, words);
    if (best === undefined || isAbove || fit > best.fit || (first + line === start && best.fit === 0))
      best = { name, fit };
  }
  return best;
}

/** How much of a name is asked for, and how much of what is asked for it has: 1 is the very same. */
function fitOf(name: string, words: ReadonlySet<string>): number {
  const own = new Set(wordsOf(name));
  const shared = [...own].filter((word) => words.has(word)).length;
  return shared === 0 ? 0 : (shared / own.size) * (shared / words.size);
}
