/** Line numbers as words. */

const MAX_NAMED = 10;

/** `line 3`, or `lines 3, 17 and 40`; of very many only the first ones. */
export function lineList(lines: readonly number[]): string {
  if (lines.length === 1) return `line ${lines[0]}`;
  if (lines.length > MAX_NAMED)
    return `lines ${lines.slice(0, MAX_NAMED).join(', ')} and ${lines.length - MAX_NAMED} more`;
  return `lines ${lines.slice(0, -1).join(', ')} and ${lines.at(-1)}`;
}
