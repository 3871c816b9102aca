/** Reads a patch in either form: a unified diff, or the one that starts with `*** Begin Patch`. */
import { type FilePatch, wrongPatch } from './file-patch.ts';
import { parseMarkedPatch } from './parse-marked-patch.ts';
import { parseUnifiedDiff } from './parse-unified-diff.ts';
import type { PatchLine } from './patch-line.ts';

/** Reads a patch; what can't be understood is a failure that names the line. */
export function parsePatch(text: string): FilePatch[] {
  const lines = withoutFence(linesOf(text));
  const files = lines.some((line) => /^\*\*\* (Begin Patch|(Add|Update|Delete) File:)/.test(line.text))
    ? parseMarkedPatch(lines)
    : parseUnifiedDiff(lines);
  if (files.length === 0) {
    throw wrongPatch(
      1,
      'no file is named in it',
      'Give a unified diff: `--- a/file`, `+++ b/file`, `@@ … @@`, then lines marked with a blank, `-` or `+`.',
    );
  }
  return files;
}

const HEADER = /^(--- |diff --git |Index: |\*\*\* |@@)/;

/** Where headers end with a carriage return the whole patch was sent with CRLF; elsewhere it is part of a line's text. */
function linesOf(text: string): PatchLine[] {
  const lines = (text.startsWith('\ufeff') ? text.slice(1) : text).split('\n');
  if (lines.at(-1) === '') lines.pop();
  const isCrlf = lines.find((line) => HEADER.test(line))?.endsWith('\r') === true;
  return lines.map((line, index) => ({
    text: isCrlf && line.endsWith('\r') ? line.slice(0, -1) : line,
    number: index + 1,
  }));
}

/** The part between markdown fences, where the first header stands behind one. */
function withoutFence(lines: readonly PatchLine[]): readonly PatchLine[] {
  const header = lines.findIndex(({ text }) => HEADER.test(text));
  const open = lines
    .slice(0, header === -1 ? 0 : header)
    .findLastIndex(({ text }) => /^\s*(```|~~~)/.test(text));
  if (open === -1) return lines;
  const fence = /^\s*(`+|~+)/.exec(lines[open]!.text)![1]!;
  const close = lines.findIndex(({ text }, index) => index > header && text.trim() === fence);
  return lines.slice(open + 1, close === -1 ? lines.length : close);
}
