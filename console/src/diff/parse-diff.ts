/** A unified diff in files, hunks and lines. What a line is follows from the counts of its hunk, not from how it looks; every line is there again. */

export interface DiffLine {
  readonly kind: 'added' | 'removed' | 'context';
  /** Without its mark. */
  readonly text: string;
  /** Its number in the old and in the new file, where it is in them. */
  readonly old: number | undefined;
  readonly now: number | undefined;
  /** What a line behind it says about it: that it has no end. */
  readonly note?: string;
}

export interface DiffHunk {
  /** `@@ … @@`, as it is written. */
  readonly header: string;
  readonly language: string;
  readonly lines: readonly DiffLine[];
}

export interface DiffFile {
  /** Undefined where its head names none. */
  readonly path: string | undefined;
  /** Whether it is there on one side only. */
  readonly only: 'before' | 'afterwards' | undefined;
  /** The lines above its hunks that say more than its path. */
  readonly head: readonly string[];
  readonly hunks: readonly DiffHunk[];
  readonly added: number;
  readonly removed: number;
}

interface OpenFile {
  head: string[];
  hunks: { header: string; lines: DiffLine[] }[];
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** Reads a diff. */
export function parseDiff(diff: string, languageOf: (path: string) => string): DiffFile[] {
  const files: OpenFile[] = [];
  let removed = 0;
  let added = 0;
  let old = 0;
  let now = 0;
  for (const text of diff.replace(/\n$/, '').split('\n')) {
    const hunk = files.at(-1)?.hunks.at(-1);
    const isInside = hunk !== undefined && (removed > 0 || added > 0);
    if (text.startsWith('\\') && hunk !== undefined && hunk.lines.length > 0) {
      const last = hunk.lines.at(-1)!;
      hunk.lines[hunk.lines.length - 1] = { ...last, note: joined(last.note, text) };
    } else if (isInside && text.startsWith('+')) {
      added--;
      hunk.lines.push({ kind: 'added', text: text.slice(1), old: undefined, now: now++ });
    } else if (isInside && text.startsWith('-')) {
      removed--;
      hunk.lines.push({ kind: 'removed', text: text.slice(1), old: old++, now: undefined });
    } else if (isInside) {
      removed--;
      added--;
      hunk.lines.push({ kind: 'context', text: text.replace(/^ /, ''), old: old++, now: now++ });
    } else {
      const counts = HUNK.exec(text);
      if (counts === null) fileFor(files, text).head.push(text);
      else {
        [old, now] = [Number(counts[1]), Number(counts[3])];
        [removed, added] = [Number(counts[2] ?? 1), Number(counts[4] ?? 1)];
        if (files.length === 0) files.push({ head: [], hunks: [] });
        files.at(-1)!.hunks.push({ header: text, lines: [] });
      }
    }
  }
  return files.map((file) => close(file, languageOf));
}

function joined(note: string | undefined, text: string): string {
  return note === undefined ? text : `${note}\n${text}`;
}

/** The file that a line of a head belongs to; another one begins behind hunks, and where git says so. */
function fileFor(files: OpenFile[], text: string): OpenFile {
  const last = files.at(-1);
  const isNext =
    last === undefined ||
    last.hunks.length > 0 ||
    (text.startsWith('diff --git ') && last.head.length > 0) ||
    (text.startsWith('--- ') && last.head.some((line) => line.startsWith('+++ ')));
  if (isNext) files.push({ head: [], hunks: [] });
  return files.at(-1)!;
}

function close({ head, hunks }: OpenFile, languageOf: (path: string) => string): DiffFile {
  const path = pathIn(head);
  const language = path === undefined ? '' : languageOf(path);
  const lines = hunks.flatMap((hunk) => hunk.lines);
  const plain = new Set([
    `diff --git a/${path} b/${path}`,
    `--- a/${path}`,
    `+++ b/${path}`,
    `--- a/${path}\t`,
    `+++ b/${path}\t`,
    '--- /dev/null',
    '+++ /dev/null',
  ]);
  return {
    path,
    only: head.includes('--- /dev/null')
      ? 'afterwards'
      : head.includes('+++ /dev/null')
        ? 'before'
        : undefined,
    head: head.filter((line) => !plain.has(line)),
    hunks: hunks.map((hunk) => ({ ...hunk, language })),
    added: lines.filter(({ kind }) => kind === 'added').length,
    removed: lines.filter(({ kind }) => kind === 'removed').length,
  };
}

function pathIn(head: readonly string[]): string | undefined {
  const named = (start: string): string | undefined =>
    head
      .find((line) => line.startsWith(start))
      ?.slice(start.length)
      .replace(/\t$/, '');
  const git = /^a\/(.+) b\/\1$/.exec(named('diff --git ') ?? '');
  return named('+++ b/') ?? named('--- a/') ?? git?.[1] ?? named('rename to ');
}
