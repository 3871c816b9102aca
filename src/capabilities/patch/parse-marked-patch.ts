/** Reads the form that starts with `*** Begin Patch`: sections for files, hunks found by their lines alone. */
import { type FilePatch, wrongPatch } from './file-patch.ts';
import type { Hunk, HunkLine } from './hunk.ts';
import { headingOf, type PatchLine, toHunkLine } from './patch-line.ts';

const SECTION = /^\*\*\* (Add|Update|Delete) File: *(.*)$/;
const END_OF_FILE = '*** End of File';

/** Reads the files of a patch; text before the beginning and after the end is passed over. */
export function parseMarkedPatch(lines: readonly PatchLine[]): FilePatch[] {
  const begin = lines.findIndex(({ text }) => text.trim() === '*** Begin Patch');
  const end = lines.findIndex(({ text }) => text.trim() === '*** End Patch');
  const body = lines.slice(begin + 1, end === -1 ? lines.length : end);
  const starts = [...body.keys()].filter((index) => SECTION.test(body[index]!.text.trimEnd()));
  const before = body
    .slice(0, starts[0] ?? body.length)
    .find(({ text }) => begin !== -1 && text.trim() !== '');
  if (before !== undefined)
    throw wrongPatch(
      before.number,
      'a line stands before the first `*** Add File:`, `*** Update File:` or `*** Delete File:`',
    );
  return starts.map((start, index) =>
    toFile(body[start]!, body.slice(start + 1, starts[index + 1] ?? body.length)),
  );
}

function toFile(head: PatchLine, lines: readonly PatchLine[]): FilePatch {
  const [, kind, written = ''] = SECTION.exec(head.text.trimEnd())!;
  const path = written.trim();
  if (path === '') throw wrongPatch(head.number, 'the name of a file is missing');
  const shared = { path, isWhole: false, source: head.number };
  if (kind === 'Add') return { ...shared, operation: 'create', hunks: added(lines, head.number) };
  if (kind === 'Delete') {
    const extra = lines.find(({ text }) => text.trim() !== '');
    if (extra !== undefined) throw wrongPatch(extra.number, 'a file that is deleted has no lines');
    return { ...shared, operation: 'delete', hunks: [] };
  }
  const move = /^\*\*\* Move to: *(.+)$/.exec(lines[0]?.text.trimEnd() ?? '');
  const hunks = parseHunks(move === null ? lines : lines.slice(1));
  if (move !== null) return { ...shared, operation: 'rename', from: path, path: move[1]!.trim(), hunks };
  if (hunks.length === 0) throw wrongPatch(head.number, 'an update without a change');
  return { ...shared, operation: 'update', hunks };
}

/** Every line of a new file is marked `+`; blank ones may have lost it. */
function added(lines: readonly PatchLine[], source: number): Hunk[] {
  const content = withoutBlankEnd(lines.filter(({ text }) => text !== END_OF_FILE));
  const wrong = content.find(({ text }) => text !== '' && !text.startsWith('+'));
  if (wrong !== undefined) throw wrongPatch(wrong.number, 'a line of a new file is not marked with `+`');
  if (content.length === 0) return [];
  return [
    toHunk(
      content.map(({ text }) => toHunkLine(text === '' ? '+' : text)),
      [],
      source,
    ),
  ];
}

function parseHunks(lines: readonly PatchLine[]): Hunk[] {
  const hunks: Hunk[] = [];
  let headings: string[] = [];
  let read: PatchLine[] = [];
  const close = (atEnd: boolean): void => {
    const kept = withoutBlankEnd(read);
    if (kept.length > 0) {
      hunks.push({
        ...toHunk(
          kept.map(({ text }) => toHunkLine(text)),
          headings,
          kept[0]!.number,
        ),
        atEnd,
      });
      headings = [];
    }
    read = [];
  };
  for (const line of lines) {
    if (line.text === END_OF_FILE) close(true);
    else if (line.text.startsWith('@@')) {
      close(false);
      const heading = headingOf(line.text);
      if (heading !== '') headings.push(heading);
    } else if (line.text.startsWith('*** ')) {
      throw wrongPatch(line.number, `${JSON.stringify(line.text.slice(0, 40))} is not known here`);
    } else read.push(line);
  }
  close(false);
  return hunks;
}

/** Blank lines between sections belong to neither. */
function withoutBlankEnd(lines: readonly PatchLine[]): PatchLine[] {
  return lines.slice(0, lines.findLastIndex(({ text }) => text !== '') + 1);
}

function toHunk(lines: HunkLine[], headings: string[], source: number): Hunk {
  return { lines, headings, atEnd: false, source };
}
