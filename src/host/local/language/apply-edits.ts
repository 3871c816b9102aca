/** What files would hold after the edits of a server. Nothing is written. */
import type { FileEdit, Files, TextPosition } from '../../ports.ts';
import type { FileUris } from './file-uri.ts';
import { readText } from './read-text.ts';
import type { TextEditMessage } from './server-messages.ts';
import { ServerTrouble } from './server-trouble.ts';

interface EditedFile {
  readonly uri: string;
  readonly edits: readonly TextEditMessage[];
}

const MAX_FILES = 500;

/** Reads each file and applies its edits; a file outside the workspace is trouble. */
export async function applyEdits(
  edited: readonly EditedFile[],
  files: Files,
  uris: FileUris,
): Promise<FileEdit[]> {
  if (edited.length > MAX_FILES)
    throw new ServerTrouble(`It would change ${edited.length} files, more than ${MAX_FILES}.`);
  const byPath = new Map<string, TextEditMessage[]>();
  for (const { uri, edits } of edited) {
    const path = uris.pathOf(uri);
    if (path === undefined) throw new ServerTrouble('It would change a file outside the workspace.');
    byPath.set(path, [...(byPath.get(path) ?? []), ...edits]);
  }
  const changed: FileEdit[] = [];
  for (const [path, edits] of byPath) {
    const { text, hasMark } = await readText(files, path);
    const mark = hasMark ? '\uFEFF' : '';
    const after = mark + withEdits(text, edits);
    if (after !== mark + text) changed.push({ path, before: mark + text, after });
  }
  return changed;
}

function withEdits(text: string, edits: readonly TextEditMessage[]): string {
  const starts = lineStarts(text);
  const spans = edits
    .map(({ range, newText }) => ({
      from: offsetOf(range.start, starts, text),
      to: offsetOf(range.end, starts, text),
      newText,
    }))
    .sort((one, other) => one.from - other.from || one.to - other.to);
  let result = '';
  let at = 0;
  for (const { from, to, newText } of spans) {
    if (from < at || to < from) throw new ServerTrouble('Its edits overlap.');
    result += text.slice(at, from) + newText;
    at = to;
  }
  return result + text.slice(at);
}

function lineStarts(text: string): number[] {
  return [0, ...[...text.matchAll(/\r\n|\n|\r/g)].map(({ index, 0: end }) => index + end.length)];
}

/** A character behind the end of a line means its end. */
function offsetOf({ line, character }: TextPosition, starts: readonly number[], text: string): number {
  const start = starts[line];
  if (start === undefined) return text.length;
  const next = starts[line + 1];
  const end =
    next === undefined ? text.length : start + text.slice(start, next).replace(/[\r\n]+$/, '').length;
  return Math.min(start + character, end);
}
