/**
 * Reads one hunk of a unified diff. Where its header counts its lines rightly, the count says where it ends; where not,
 * the marks do, and then the header is not believed about the place either.
 */
import { wrongPatch } from './file-patch.ts';
import type { Hunk, HunkLine } from './hunk.ts';
import { headingOf, isFileHeader, type PatchLine, toHunkLine } from './patch-line.ts';

const NUMBERS = /^@@+ *-(\d{1,9})(?:,(\d{1,9}))? +\+(\d{1,9})(?:,(\d{1,9}))?(?: *@@+(.*))?$/;

interface Numbers {
  readonly oldStart: number;
  readonly oldCount: number;
  readonly newStart: number;
  readonly newCount: number;
  readonly heading: string;
}

/** A hunk with the numbers of its header, where it counts rightly. */
type NumberedHunk = Hunk & { numbers?: Numbers };

/** Whether a hunk starts with this line. */
export function isHunkHeader(text: string): boolean {
  return text.startsWith('@@');
}

/** Reads the hunk at a line; `next` is the line behind it. */
export function parseHunk(lines: readonly PatchLine[], at: number): { hunk: NumberedHunk; next: number } {
  const { text, number } = lines[at]!;
  const hasHeader = isHunkHeader(text);
  const numbers = hasHeader ? numbersOf(text) : undefined;
  const first = hasHeader ? at + 1 : at;
  const counted = numbers && readCounted(lines, first, numbers);
  const { read, next } = counted ?? readMarked(lines, first);
  if (read.length === 0) throw wrongPatch(number, 'the hunk is empty');
  const heading = numbers?.heading ?? (hasHeader ? headingOf(text) : '');
  const hunk: NumberedHunk = {
    lines: read,
    headings: heading.trim() === '' ? [] : [heading.trim()],
    atEnd: false,
    source: number,
  };
  return { hunk: counted === undefined ? hunk : { ...hunk, numbers: numbers! }, next };
}

/** Headers are believed about the place where their numbers agree with each other through the whole file. */
export function believable(hunks: readonly NumberedHunk[]): Hunk[] {
  let grown = 0;
  let isBelieved = true;
  return hunks.map(({ numbers, ...hunk }) => {
    if (numbers === undefined) {
      isBelieved = false;
      return hunk;
    }
    const { oldStart, oldCount, newStart, newCount } = numbers;
    // An empty side is counted from the line before it.
    const first = oldCount === 0 ? oldStart + 1 : oldStart;
    isBelieved &&= (newCount === 0 ? newStart + 1 : newStart) === first + grown;
    grown += newCount - oldCount;
    return isBelieved ? { ...hunk, line: first } : hunk;
  });
}

function numbersOf(text: string): Numbers | undefined {
  const match = NUMBERS.exec(text.trimEnd());
  if (match === null) return undefined;
  const [, oldStart, oldCount = '1', newStart, newCount = '1', heading = ''] = match;
  return {
    oldStart: Number(oldStart),
    oldCount: Number(oldCount),
    newStart: Number(newStart),
    newCount: Number(newCount),
    heading,
  };
}

/** Reads as many lines as the header says; undefined where that does not come out. */
function readCounted(
  lines: readonly PatchLine[],
  first: number,
  { oldCount, newCount }: Numbers,
): { read: HunkLine[]; next: number } | undefined {
  const read: HunkLine[] = [];
  let [old, now] = [oldCount, newCount];
  let at = first;
  while (old > 0 || now > 0) {
    if (at >= lines.length) return undefined;
    const { text } = lines[at]!;
    if (text.startsWith('\\')) {
      dropEnding(read);
      at++;
      continue;
    }
    const line = toHunkLine(text);
    if (line.bare === true && isHeader(lines, at)) return undefined;
    if (line.mark !== '+') old--;
    if (line.mark !== '-') now--;
    if (old < 0 || now < 0) return undefined;
    read.push(line);
    at++;
  }
  while (lines[at]?.text.startsWith('\\') === true) {
    dropEnding(read);
    at++;
  }
  return goesOn(lines, at) ? undefined : { read, next: at };
}

/** Whether lines that look like more of the hunk stand here. */
function goesOn(lines: readonly PatchLine[], at: number): boolean {
  let next = at;
  while (lines[next]?.text === '') next++;
  const text = lines[next]?.text;
  return text !== undefined && /^[ +-]/.test(text) && !isHeader(lines, next);
}

/** Reads until something else starts. */
function readMarked(lines: readonly PatchLine[], first: number): { read: HunkLine[]; next: number } {
  const read: HunkLine[] = [];
  let at = first;
  for (; at < lines.length && !isHeader(lines, at); at++) {
    const { text } = lines[at]!;
    if (text.startsWith('\\')) dropEnding(read);
    else read.push(toHunkLine(text));
  }
  // Blank lines between hunks belong to neither.
  while (read.at(-1)?.bare === true && read.at(-1)!.text === '') read.pop();
  return { read, next: at };
}

function isHeader(lines: readonly PatchLine[], at: number): boolean {
  const { text } = lines[at]!;
  return (
    isHunkHeader(text) ||
    isFileHeader(lines, at) ||
    /^(diff --git |Index: |diff -|index [0-9a-f]+\.\.)/.test(text) ||
    isSignature(lines, at)
  );
}

/** The end of a patch that came by mail. */
function isSignature(lines: readonly PatchLine[], at: number): boolean {
  const rest = lines.slice(at + 1, at + 4).filter(({ text }) => text.trim() !== '');
  return lines[at]!.text === '-- ' && at + 4 >= lines.length && rest.length <= 1;
}

/** `\ No newline at end of file` is about the line before it. */
function dropEnding(read: HunkLine[]): void {
  const last = read.pop();
  if (last !== undefined)
    read.push({ ...last, text: last.ending === '\r\n' ? `${last.text}\r` : last.text, ending: '' });
}
