/** A file with new lines for old ones. */
import type { Replacement } from './fit-lines.ts';
import { type Line, usualEnding } from './text-lines.ts';

/** The lines with the replacements, given in their order, in them; only the last line may have no ending. */
export function mergeLines(lines: readonly Line[], replacements: readonly Replacement[]): Line[] {
  const merged: Line[] = [];
  let done = 0;
  for (const { start, end, lines: replacing } of replacements) {
    for (let index = done; index < start; index++) merged.push(lines[index]!);
    for (const line of replacing) merged.push(line);
    done = end;
  }
  for (let index = done; index < lines.length; index++) merged.push(lines[index]!);
  for (let index = 0; index < merged.length - 1; index++) {
    const line = merged[index]!;
    if (line.ending === '') merged[index] = { ...line, ending: usualEnding(lines) };
  }
  return merged;
}
