/** A unified diff of two texts, made within bounds: never so thorough that it blocks the process. */
import { structuredPatch } from 'diff';
import { Failure } from '../../failure.ts';
import { decodeText, toLines } from './text.ts';

export interface LineDiff {
  /** Unified, with `---` and `+++` headers; empty where nothing differs. */
  readonly diff: string;
  readonly additions: number;
  readonly deletions: number;
}

/** Beyond this many changed lines the search for the smallest diff takes too long. */
const MAX_EDITS = 1_000;
const CONTEXT = 3;
const LARGE_STEP = 65_536;

/** Compares two texts by lines; `undefined` is a file that is not there. */
export function unifiedDiff(path: string, before: string | undefined, after: string | undefined): LineDiff {
  const hunks =
    before === after ? [] : (smallest(before ?? '', after ?? '') ?? [wholeBlock(before ?? '', after ?? '')]);
  const lines = hunks.flatMap((hunk) => hunk.lines);
  if (lines.length === 0) return { diff: '', additions: 0, deletions: 0 };
  const header = [
    before === undefined ? '--- /dev/null' : `--- ${nameInDiff(`a/${path}`)}`,
    after === undefined ? '+++ /dev/null' : `+++ ${nameInDiff(`b/${path}`)}`,
  ];
  return {
    diff: [...header, ...hunks.flatMap((hunk) => [hunkHeader(hunk), ...hunk.lines])].join('\n') + '\n',
    additions: lines.filter((line) => line.startsWith('+')).length,
    deletions: lines.filter((line) => line.startsWith('-')).length,
  };
}

/** The diff of two contents; undefined where one is no text. */
export function diffOfContents(
  path: string,
  before: Uint8Array | undefined,
  after: Uint8Array | undefined,
): string | undefined {
  try {
    const [old, now] = [before, after].map((content) => content && decodeText(content, path));
    return unifiedDiff(path, old, now).diff;
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

/** A name as git writes it: in quotes where it could be taken for something else, and ended by a tab where it has blanks. */
export function nameInDiff(name: string): string {
  if (/[\u0000-\u001f\u007f"\\]/.test(name)) {
    const quoted = name.replaceAll(
      /[\u0000-\u001f\u007f"\\]/g,
      (character) => ESCAPES[character] ?? octal(character),
    );
    return `"${quoted}"`;
  }
  return name.includes(' ') ? `${name}\t` : name;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\t': '\\t',
  '\r': '\\r',
  '"': '\\"',
  '\\': '\\\\',
};

function octal(character: string): string {
  return `\\${character.codePointAt(0)!.toString(8).padStart(3, '0')}`;
}

interface Hunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  readonly lines: readonly string[];
}

/** Only what lies between the common start and the common end is compared: that is most of the work saved. */
function smallest(before: string, after: string): readonly Hunk[] | undefined {
  const { start, end } = commonEdges(before, after);
  const [old, now] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  const patch = structuredPatch('', '', old, now, '', '', { context: CONTEXT, maxEditLength: MAX_EDITS });
  const skipped = countLines(before, start);
  return patch?.hunks.map((hunk) => ({
    ...hunk,
    oldStart: hunk.oldStart + skipped,
    newStart: hunk.newStart + skipped,
  }));
}

/** How many characters at the start and at the end are the same, in whole lines, but for those that are shown around a change. */
function commonEdges(before: string, after: string): { start: number; end: number } {
  const shorter = Math.min(before.length, after.length);
  const sameAt = (at: number, length: number): boolean =>
    before.slice(at, at + length) === after.slice(at, at + length);
  let start = commonLength(shorter, sameAt);
  for (let line = 0; line <= CONTEXT && start > 0; line++)
    start = start === 1 ? 0 : before.lastIndexOf('\n', start - 2) + 1;
  const sameFromEnd = (at: number, length: number): boolean =>
    before.slice(before.length - at - length, before.length - at) ===
    after.slice(after.length - at - length, after.length - at);
  const end = commonLength(shorter - start, sameFromEnd);
  let from = before.length - end;
  for (let line = 0; line <= CONTEXT && from < before.length; line++) {
    const newline = before.indexOf('\n', from);
    from = newline === -1 ? before.length : newline + 1;
  }
  return { start, end: before.length - from };
}

/** How far two texts are the same: in large steps, halved where they differ. */
function commonLength(limit: number, isSame: (at: number, length: number) => boolean): number {
  let common = 0;
  for (let step = LARGE_STEP; step >= 1; step >>= 1)
    while (common + step <= limit && isSame(common, step)) common += step;
  return common;
}

function countLines(text: string, end: number): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

/** A correct diff that costs nothing to find: what differs between the common start and the common end, with context. */
function wholeBlock(before: string, after: string): Hunk {
  const old = toLines(before);
  const now = toLines(after);
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start] === now[start]) start++;
  let end = 0;
  while (end < shorter - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const first = Math.max(0, start - CONTEXT);
  const removed = old.slice(start, old.length - end);
  const added = now.slice(start, now.length - end);
  const leading = old.slice(first, start);
  const trailing = old.slice(old.length - end, old.length - end + CONTEXT);
  const oldLines = leading.length + removed.length + trailing.length;
  const newLines = leading.length + added.length + trailing.length;
  return {
    oldStart: oldLines === 0 ? first : first + 1,
    oldLines,
    newStart: newLines === 0 ? first : first + 1,
    newLines,
    lines: [
      ...marked(' ', leading),
      ...marked('-', removed),
      ...marked('+', added),
      ...marked(' ', trailing),
    ],
  };
}

function marked(mark: '-' | '+' | ' ', lines: readonly string[]): string[] {
  return lines.flatMap((line) =>
    line.endsWith('\n') ? [mark + line.slice(0, -1)] : [mark + line, '\\ No newline at end of file'],
  );
}

function hunkHeader({ oldStart, oldLines, newStart, newLines }: Hunk): string {
  // Git counts an empty side from the line before it; the library already does, except for empty files.
  const side = (start: number, lines: number): string =>
    lines === 1 ? `${start}` : `${lines === 0 && start === 1 ? 0 : start},${lines}`;
  return `@@ -${side(oldStart, oldLines)} +${side(newStart, newLines)} @@`;
}
