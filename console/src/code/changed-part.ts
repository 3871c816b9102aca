/** Which part of a line another one has otherwise. */

export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Lines that share less than this of the longer one are simply others. */
const SHARED = 0.3;
/** Longer ones are not compared. */
const MAX_LENGTH = 2_000;

/** The part of a line between what it shares with its counterpart at both ends; undefined where they share little. */
export function changedPart(line: string, counterpart: string): Span | undefined {
  const shorter = Math.min(line.length, counterpart.length);
  const longer = Math.max(line.length, counterpart.length);
  if (longer > MAX_LENGTH) return undefined;
  let from = 0;
  while (from < shorter && line[from] === counterpart[from]) from++;
  let same = 0;
  while (same < shorter - from && line.at(-1 - same) === counterpart.at(-1 - same)) same++;
  // Blanks at the start say nothing about how alike two lines are.
  const indentation = /^\s*/.exec(line)![0].length;
  if (Math.max(0, from - indentation) + same < SHARED * (longer - indentation)) return undefined;
  const part = wholeWords(line, from, line.length - same);
  return part.from === part.to ? undefined : part;
}

/** Words are read whole, and no character is cut in two. */
function wholeWords(line: string, from: number, to: number): Span {
  let [start, end] = [from, to];
  const isWord = (at: number): boolean => /[\p{L}\p{N}_\p{Surrogate}]/v.test(line[at] ?? '');
  if (start === end) return { from: start, to: end };
  while (start > 0 && isWord(start - 1) && isWord(start)) start--;
  while (end < line.length && isWord(end - 1) && isWord(end)) end++;
  return { from: start, to: end };
}
