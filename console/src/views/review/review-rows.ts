/** A patch under review as rows: each file, each of its chunks, what was said about it, and its lines. */
import { type DiffLayout, type DiffRow, fileRows, hunkRows } from '../../diff/diff-rows.ts';
import { languageOf } from '../../code/language.ts';
import { type DiffFile, parseDiff } from '../../diff/parse-diff.ts';
import type { ReviewChunk } from '../../questions/question.ts';

export interface ParsedChunk extends ReviewChunk {
  readonly files: readonly DiffFile[];
  readonly added: number;
  readonly removed: number;
}

export type ReviewRow =
  | { readonly kind: 'path'; readonly path: string; readonly at: number }
  | { readonly kind: 'chunk'; readonly chunk: ParsedChunk; readonly at: number }
  | { readonly kind: 'diff'; readonly row: DiffRow; readonly at: number };

/** The chunks with their lines. */
export function parseChunks(chunks: readonly ReviewChunk[]): ParsedChunk[] {
  return chunks.map((chunk) => {
    const files = parseDiff(chunk.text, languageOf);
    const sum = (of: 'added' | 'removed'): number => files.reduce((all, file) => all + file[of], 0);
    return { ...chunk, files, added: sum('added'), removed: sum('removed') };
  });
}

/** All rows; `at` is the chunk each belongs to, counted from 0. */
export function reviewRows(chunks: readonly ParsedChunk[], layout: DiffLayout): ReviewRow[] {
  return chunks.flatMap((chunk, at): ReviewRow[] => [
    ...(chunks[at - 1]?.path === chunk.path ? [] : [{ kind: 'path' as const, path: chunk.path, at }]),
    { kind: 'chunk', chunk, at },
    ...chunk.files
      .flatMap((file) => rowsOf(file, chunk.path, layout))
      .map((row) => ({ kind: 'diff' as const, row, at })),
  ]);
}

/** The path stands above already; what else a head says is shown. */
function rowsOf(file: DiffFile, path: string, layout: DiffLayout): DiffRow[] {
  const saysMore = file.head.length > 0 || file.only !== undefined || file.path !== path;
  return saysMore ? fileRows([file], layout) : hunkRows(file.hunks, layout);
}
