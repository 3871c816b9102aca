/** Takes a file apart: parts of a size that can be shown and compared, cut where something new is defined. */
import type { Definition } from './definitions.ts';

/** Lines from `start` to before `end`, counted from 0. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

const FEWEST_LINES = 12;
const USUAL_LINES = 40;
const MOST_LINES = 60;
const MOST_CHARACTERS = 6_000;
/** Methods start a part of their own; what is nested deeper belongs to them. */
const MOST_DEPTH = 4;

const ABOVE = /^\s*(?:\/\/|\/\*|\*|#(?!\s*(?:define|include|if|endif|else))|--|@|"""|'''|\[)/;

/** The parts of a file, one after the other and without gaps. */
export function splitParts(lines: readonly string[], definitions: readonly Definition[]): Span[] {
  const heads = new Set(
    definitions.filter(({ depth }) => depth <= MOST_DEPTH).map(({ line }) => withComment(lines, line)),
  );
  const spans: Span[] = [];
  let start = 0;
  let characters = 0;
  for (const [line, text] of lines.entries()) {
    const length = line - start;
    const isEnd =
      (heads.has(line) && length >= FEWEST_LINES) ||
      (text.trim() === '' && length >= USUAL_LINES) ||
      length >= MOST_LINES ||
      (length > 0 && characters + text.length > MOST_CHARACTERS);
    if (isEnd) {
      spans.push({ start, end: line });
      start = line;
      characters = 0;
    }
    characters += text.length;
  }
  if (start < lines.length) spans.push({ start, end: lines.length });
  return spans;
}

/** What stands right above a definition speaks about it. */
function withComment(lines: readonly string[], line: number): number {
  let first = line;
  while (first > 0 && line - first < 20 && ABOVE.test(lines[first - 1]!)) first--;
  return first;
}
