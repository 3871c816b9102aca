/** A unified diff of two texts, made within bounds: never so thorough that it blocks the process. */
import { structuredPatch } from 'diff';

export interface LineDiff {
  /** Unified, with `---` and `+++` headers; empty where nothing differs. */
  readonly diff: string;
  readonly additions: number;
  readonly deletions: number;
}

/** Beyond this many changed lines the search for the smallest diff takes too long. */
const MAX_EDITS = 1_000;
const CONTEXT = 3;

/** Compares two texts by lines; `undefined` is a file that is not there. */
export function unifiedDiff(path: string, before: string | undefined, after: string | undefined): LineDiff {
  if (before === after) return { diff: '', additions: 0, deletions: 0 };
  const hunks = smallest(before ?? '', after ?? '') ?? [wholeBlock(before ?? '', after ?? '')];
  const lines = hunks.flatMap((hunk) => hunk.lines);
  const header = [
    before === undefined ? '--- /dev/null' : `--- a/${path}`,
    after === undefined ? '+++ /dev/null' : `+++ b/${path}`,
  ];
  return {
    diff: [...header, ...hunks.flatMap((hunk) => [hunkHeader(hunk), ...hunk.lines])].join('\n') + '\n',
    additions: lines.filter((line) => line.startsWith('+')).length,
    deletions: lines.filter((line) => line.startsWith('-')).length,
  };
}

interface Hunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  readonly lines: readonly string[];
}

function smallest(before: string, after: string): readonly Hunk[] | undefined {
  return structuredPatch('', '', before, after, '', '', { context: CONTEXT, maxEditLength: MAX_EDITS })
    ?.hunks;
}

/** A correct diff that costs nothing to find: what differs between the common start and the common end. */
function wholeBlock(before: string, after: string): Hunk {
  const old = toLines(before);
  const now = toLines(after);
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start] === now[start]) start++;
  let end = 0;
  while (end < shorter - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const removed = old.slice(start, old.length - end);
  const added = now.slice(start, now.length - end);
  return {
    oldStart: start + (removed.length === 0 ? 0 : 1),
    oldLines: removed.length,
    newStart: start + (added.length === 0 ? 0 : 1),
    newLines: added.length,
    lines: [...marked('-', removed), ...marked('+', added)],
  };
}

function toLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function marked(mark: '-' | '+', lines: readonly string[]): string[] {
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
