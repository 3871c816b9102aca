/** The lines of a patch, as both of its forms have them. */
import type { HunkLine } from './hunk.ts';

/** A line of a patch with its number. */
export interface PatchLine {
  readonly text: string;
  readonly number: number;
}

/** Whether a `---` and a `+++` line stand here. */
export function isFileHeader(lines: readonly PatchLine[], at: number): boolean {
  return lines[at]!.text.startsWith('--- ') && lines[at + 1]?.text.startsWith('+++ ') === true;
}

/** A line of a hunk; one without a mark is taken to stay. */
export function toHunkLine(written: string): HunkLine {
  const mark = written[0];
  const isMarked = mark === ' ' || mark === '-' || mark === '+';
  const whole = isMarked ? written.slice(1) : written;
  const isCrlf = whole.endsWith('\r');
  return {
    mark: isMarked ? mark : ' ',
    text: isCrlf ? whole.slice(0, -1) : whole,
    ending: isCrlf ? '\r\n' : '\n',
    ...(isMarked ? {} : { bare: true }),
  };
}

/** What a line that starts with `@@` says besides numbers. */
export function headingOf(text: string): string {
  return text.replace(/^@@+/, '').replace(/@@+$/, '').trim();
}
