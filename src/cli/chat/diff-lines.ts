/** A unified diff as lines of a terminal. */
import { cut, type Line, safeLines, span, type Style } from './spans.ts';

/** As much of a diff as `most` lines take, and how many more there are. */
export function diffLines(diff: string, width: number, most: number): { lines: Line[]; more: number } {
  const all = safeLines(diff.replace(/\n$/, ''));
  const lines = all.slice(0, most).map((line) => cut([span(line, ...stylesOf(line))], width));
  return { lines, more: Math.max(0, all.length - most) };
}

/** The colours of a line of a diff. */
export function stylesOf(line: string): Style[] {
  if (line.startsWith('+++') || line.startsWith('---')) return ['bold'];
  if (line.startsWith('+')) return ['green'];
  if (line.startsWith('-')) return ['red'];
  return line.startsWith('@@') ? ['cyan'] : [];
}

/** `+3 −1`. */
export function lineCounts(diff: string): string {
  const lines = diff.split('\n');
  const added = lines.filter((line) => line.startsWith('+') && !line.startsWith('+++')).length;
  const removed = lines.filter((line) => line.startsWith('-') && !line.startsWith('---')).length;
  return `+${added} −${removed}`;
}
