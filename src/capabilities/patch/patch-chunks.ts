/**
 * A planned patch in chunks, each of which can be taken or left by itself: a hunk, or the whole of a file that is made,
 * removed, renamed, or gets another mode. Any of them together are a diff again, whose header lines count rightly.
 */
import { diffArrays } from 'diff';
import { nameInDiff } from '../fs/unified-diff.ts';
import type { LineChanges } from './apply-hunks.ts';
import { fileDiff, gitLine, gitMode } from './file-diff.ts';
import type { Replacement } from './fit-lines.ts';
import { mergeLines } from './merge-lines.ts';
import type { FilePlan } from './plan-file.ts';
import { type Line, toLines, toText } from './text-lines.ts';

export interface PatchChunk {
  readonly path: string;
  /** The whole of a file, as a diff; or a hunk. */
  readonly part: string | PlainHunk;
}

/** Lines with their marks, at their place in the old file. */
interface PlainHunk {
  /** Lines of the file before it. */
  readonly before: number;
  readonly lines: readonly string[];
  readonly oldCount: number;
  readonly newCount: number;
}

const CONTEXT = 3;

/** The chunks of a file, in its order. */
export function chunksOf(plan: FilePlan): PatchChunk[] {
  const { path, operation, changes, executable } = plan;
  if (operation !== 'update' || executable !== undefined || changes === undefined)
    return [{ path, part: wholeDiff(plan) }];
  return toHunks(changes).map((part) => ({ path, part }));
}

/** In git's form: in a plain one, names below a file that only gets another mode would be taken for that file's. */
function wholeDiff(plan: FilePlan): string {
  const { diff } = fileDiff(plan);
  if (diff.startsWith('diff --git ')) return diff;
  const mode = gitMode(plan.before?.isExecutable === true);
  const extended = plan.operation === 'delete' ? `deleted file mode ${mode}` : `new file mode ${mode}`;
  return `${gitLine(plan.path)}\n${extended}\n${diff}`;
}

/** The diff of some chunks, given in their order. */
export function diffOfChunks(chunks: readonly PatchChunk[]): string {
  let diff = '';
  let path: string | undefined;
  let grown = 0;
  for (const { path: ofChunk, part } of chunks) {
    if (typeof part === 'string') diff += part;
    else {
      if (ofChunk !== path) grown = 0;
      const names = `${gitLine(ofChunk)}\n--- ${nameInDiff(`a/${ofChunk}`)}\n+++ ${nameInDiff(`b/${ofChunk}`)}\n`;
      diff += (ofChunk === path ? '' : names) + hunkText(part, grown);
      grown += part.newCount - part.oldCount;
    }
    path = ofChunk;
  }
  return diff;
}

function hunkText({ before, lines, oldCount, newCount }: PlainHunk, grown: number): string {
  // An empty side is counted from the line before it.
  const side = (start: number, count: number): string =>
    count === 1 ? `${start + 1}` : `${count === 0 ? start : start + 1},${count}`;
  const header = `@@ -${side(before, oldCount)} +${side(before + grown, newCount)} @@`;
  return `${[header, ...lines].join('\n')}\n`;
}

function toHunks({ mark, lines: file, replacements }: LineChanges): PlainHunk[] {
  const old = toLines(mark + toText(file));
  const spans = toSpans(file, replacements);
  return spans.map(({ start, end, replacements: together }, index) => {
    const [previous, next] = [spans[index - 1], spans[index + 1]];
    // Hunks may not share lines, and only at the end of a file may one end with a change.
    const leading = previous === undefined ? start : Math.floor((start - previous.end) / 2);
    const trailing = next === undefined ? file.length - end : Math.ceil((next.start - end) / 2);
    const now = toLines(mark + toText(mergeLines(file, together)));
    const first = start - Math.min(CONTEXT, leading);
    // Nothing but the mark is no line to the hunks, and yet one of the file.
    const last = file.length === 0 ? old.length : end + Math.min(CONTEXT, trailing);
    return hunkOf(first, old.slice(first, last), now.slice(first, last + now.length - old.length));
  });
}

function hunkOf(before: number, old: readonly Line[], now: readonly Line[]): PlainHunk {
  const lines = compared(old.map(written), now.map(written));
  return { before, lines, oldCount: old.length, newCount: now.length };
}

/** Lines that are changed together. */
interface Span {
  readonly start: number;
  readonly end: number;
  readonly replacements: readonly Replacement[];
}

/** Changes right beside each other can't be told apart in a diff, and are one. */
function toSpans(file: readonly Line[], replacements: readonly Replacement[]): Span[] {
  const spans: Span[] = [];
  for (const replacement of replacements) {
    const { start: written, end } = replacement;
    // What comes behind a last line without an end gives it one.
    const start = written === file.length && file.at(-1)?.ending === '' ? written - 1 : written;
    const last = spans.at(-1);
    if (last === undefined || start > last.end) spans.push({ start, end, replacements: [replacement] });
    else
      spans[spans.length - 1] = {
        start: Math.min(last.start, start),
        end,
        replacements: [...last.replacements, replacement],
      };
  }
  return spans;
}

/** A line as a diff writes it. */
function written({ text, ending }: Line): string {
  if (ending === '') return `${text}\n\\ No newline at end of file`;
  return ending === '\r\n' ? `${text}\r` : text;
}

/** Beyond this many changed lines the smallest diff takes too long to find. */
const MAX_EDITS = 1_000;

function compared(old: readonly string[], now: readonly string[]): string[] {
  const parts = diffArrays([...old], [...now], { maxEditLength: MAX_EDITS });
  if (parts === undefined) return [...old.map((line) => `-${line}`), ...now.map((line) => `+${line}`)];
  return parts.flatMap(({ added, removed, value }) =>
    value.map((line) => (added ? '+' : removed ? '-' : ' ') + line),
  );
}
