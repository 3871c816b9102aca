/** A diff as rows, one below the other: either way to look at it is a list of them. */
import type { DiffFile, DiffHunk, DiffLine } from './parse-diff.ts';

export type DiffLayout = 'unified' | 'split';

/** A line, and the one that took its place or whose place it took. */
export interface PlacedLine extends DiffLine {
  readonly counterpart?: string | undefined;
}

export type DiffRow =
  | { readonly kind: 'file'; readonly file: DiffFile }
  | { readonly kind: 'hunk'; readonly hunk: DiffHunk }
  | { readonly kind: 'line'; readonly hunk: DiffHunk; readonly line: PlacedLine }
  | {
      readonly kind: 'pair';
      readonly hunk: DiffHunk;
      readonly left: PlacedLine | undefined;
      readonly right: PlacedLine | undefined;
    };

/** The rows of files with their heads. */
export function fileRows(files: readonly DiffFile[], layout: DiffLayout): DiffRow[] {
  return files.flatMap((file): DiffRow[] => [{ kind: 'file', file }, ...hunkRows(file.hunks, layout)]);
}

/** The rows of hunks with their headers. */
export function hunkRows(hunks: readonly DiffHunk[], layout: DiffLayout): DiffRow[] {
  return hunks.flatMap((hunk): DiffRow[] => [{ kind: 'hunk', hunk }, ...linesOf(hunk, layout)]);
}

function linesOf(hunk: DiffHunk, layout: DiffLayout): DiffRow[] {
  const rows: DiffRow[] = [];
  const { lines } = hunk;
  for (let at = 0; at < lines.length;) {
    const line = lines[at]!;
    if (line.kind === 'context') {
      rows.push(
        layout === 'unified' ? { kind: 'line', hunk, line } : { kind: 'pair', hunk, left: line, right: line },
      );
      at++;
      continue;
    }
    const removed = run(lines, at, 'removed');
    const added = run(lines, at + removed.length, 'added');
    const left = removed.map((one, index) => ({ ...one, counterpart: added[index]?.text }));
    const right = added.map((one, index) => ({ ...one, counterpart: removed[index]?.text }));
    if (layout === 'unified')
      for (const one of [...left, ...right]) rows.push({ kind: 'line', hunk, line: one });
    else
      for (let index = 0; index < Math.max(left.length, right.length); index++)
        rows.push({ kind: 'pair', hunk, left: left[index], right: right[index] });
    at += removed.length + added.length;
  }
  return rows;
}

/** The lines of a kind from here on. */
function run(lines: readonly DiffLine[], from: number, kind: DiffLine['kind']): readonly DiffLine[] {
  let end = from;
  while (lines[end]?.kind === kind) end++;
  return lines.slice(from, end);
}
