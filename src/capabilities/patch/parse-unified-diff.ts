/** Reads unified diffs, plain ones and git's, and forgives what models get wrong in them. */
import { type FilePatch, unsupported, wrongPatch } from './file-patch.ts';
import type { Hunk } from './hunk.ts';
import { believable, isHunkHeader, parseHunk } from './parse-hunk.ts';
import { isFileHeader, type PatchLine } from './patch-line.ts';
import { namesOfGitLine, readName, withoutPrefixes } from './patch-names.ts';

/** What the lines above the hunks of a file say. */
interface Header {
  readonly source: number;
  readonly git?: { readonly old: string; readonly now: string } | undefined;
  names?: { readonly old: string | undefined; readonly now: string | undefined };
  renameFrom?: string | undefined;
  renameTo?: string | undefined;
  isCreated?: boolean;
  isDeleted?: boolean;
  /** The mode it gets. */
  mode?: string | undefined;
}

/** Reads the files of a diff; text around them is passed over. */
export function parseUnifiedDiff(lines: readonly PatchLine[]): FilePatch[] {
  const files: FilePatch[] = [];
  let header: Header | undefined;
  let hunks: Hunk[] = [];
  const close = (): void => {
    if (header !== undefined) files.push(...toFile(header, hunks));
    header = undefined;
    hunks = [];
  };
  for (let at = 0; at < lines.length;) {
    const { text, number } = lines[at]!;
    if (text.startsWith('diff --git ')) {
      close();
      header = { source: number, git: namesOfGitLine(text.slice('diff --git '.length), number) };
      at++;
    } else if (isFileHeader(lines, at)) {
      const names = {
        old: readName(text.slice(4), number),
        now: readName(lines[at + 1]!.text.slice(4), number + 1),
      };
      if (header === undefined || !belongs(names, header)) close();
      header ??= { source: number };
      header.names = names;
      at += 2;
    } else if (
      isHunkHeader(text) ||
      (header?.names !== undefined && hunks.length === 0 && /^[ +-]/.test(text))
    ) {
      if (header?.names === undefined)
        throw wrongPatch(
          number,
          'a hunk stands before the name of its file',
          'Put `--- a/file` and `+++ b/file` before it.',
        );
      const parsed = parseHunk(lines, at);
      hunks.push(parsed.hunk);
      at = parsed.next;
    } else {
      if (header !== undefined && hunks.length === 0) readExtended(header, text, number);
      at++;
    }
  }
  close();
  return files;
}

/** Whether names stand below the `diff --git` line of the same file, and not below another one that has no names. */
function belongs(names: NonNullable<Header['names']>, header: Header): boolean {
  const { git, names: before, renameFrom, renameTo } = header;
  if (before !== undefined) return false;
  const { old, now } = withoutPrefixes(names.old, names.now);
  if (renameFrom !== undefined) return old === renameFrom || now === renameTo;
  return git === undefined || names.old === git.old || names.now === git.now;
}

/** Git's own lines between the name and the hunks. */
function readExtended(header: Header, text: string, number: number): void {
  const after = (start: string): string | undefined =>
    text.startsWith(start) ? text.slice(start.length).trim() : undefined;
  const name = (start: string): string | undefined => {
    const written = after(start);
    return written === undefined ? undefined : readName(written, number);
  };
  header.renameFrom ??= name('rename from ');
  header.renameTo ??= name('rename to ');
  header.isCreated ||= text.startsWith('new file mode ');
  header.isDeleted ||= text.startsWith('deleted file mode ');
  header.mode ??= after('new mode ') ?? after('new file mode ');
  const mode = after('old mode ') ?? after('deleted file mode ') ?? header.mode;
  if (mode !== undefined) refuseOtherModes(mode, number);
  if (text.startsWith('copy from ') || text.startsWith('copy to '))
    throw unsupported(number, 'copies a file, which a patch can not do here');
  if (text === 'GIT binary patch' || /^Binary files .* differ$/.test(text))
    throw unsupported(number, 'holds binary data, and only text can be patched');
}

function refuseOtherModes(mode: string, number: number): void {
  if (/^100[0-7]{3}$/.test(mode)) return;
  const kind = mode === '120000' ? 'a link' : mode === '160000' ? 'a submodule' : `mode ${mode}`;
  throw unsupported(number, `is about ${kind}; only regular files can be patched`);
}

function toFile(header: Header, hunks: readonly Hunk[]): FilePatch[] {
  const { source } = header;
  const { old, now } = namesOf(header);
  const isExecutable =
    header.mode === undefined ? undefined : (Number.parseInt(header.mode, 8) & 0o111) !== 0;
  const shared = {
    hunks: believable(hunks),
    isWhole: true,
    source,
    // A file that is made is ordinary unless it is said to be executable.
    ...(isExecutable === undefined || (header.isCreated === true && !isExecutable)
      ? {}
      : { executable: isExecutable }),
  };
  if (old === undefined && now === undefined) throw wrongPatch(source, 'both names are /dev/null');
  if (old === undefined) return [{ operation: 'create', path: now!, ...shared }];
  if (now === undefined) return [{ operation: 'delete', path: old, ...shared }];
  if (old !== now && header.renameTo === undefined && !isCopyOf(old, now)) {
    throw wrongPatch(
      source,
      `the names ${JSON.stringify(old)} and ${JSON.stringify(now)} differ`,
      'A rename needs `rename from` and `rename to` lines.',
    );
  }
  if (header.renameTo !== undefined && old !== now)
    return [{ operation: 'rename', path: now, from: old, ...shared }];
  // Headers without anything below them say nothing.
  if (hunks.length === 0 && isExecutable === undefined) return [];
  return [{ operation: 'update', path: now, ...shared }];
}

/** The old and the new name; undefined where there is no file. */
function namesOf({ git, names, renameFrom, renameTo, isCreated, isDeleted, source }: Header): {
  old: string | undefined;
  now: string | undefined;
} {
  if (renameFrom !== undefined && renameTo !== undefined) return { old: renameFrom, now: renameTo };
  if (renameFrom !== undefined || renameTo !== undefined)
    throw wrongPatch(source, 'a rename needs both `rename from` and `rename to`');
  const written = names ?? git;
  if (written === undefined) throw wrongPatch(source, 'the name of the file is not clear');
  const { old, now } = withoutPrefixes(written.old, written.now);
  return { old: isCreated === true ? undefined : old, now: isDeleted === true ? undefined : now };
}

/** `file.orig` and `file`: the old one is a copy for comparison. */
function isCopyOf(old: string, now: string): boolean {
  return ['.orig', '.old', '.bak', '~'].some((ending) => old === now + ending);
}
