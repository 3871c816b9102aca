/**
 * Replaces a file in one step: temporary file in the opened directory, fsync, rename. At every moment the
 * name holds the old content or the new one, never a part, and nothing outside the directory is touched.
 */
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsync,
  openSync,
  rename,
  rmdirSync,
  type Stats,
  unlinkSync,
  write,
  writeSync,
} from 'node:fs';
import { promisify } from 'node:util';
import { Failure } from '../../failure.ts';
import type { FileVersion, WriteOptions } from '../ports.ts';
import { temporaryName } from '../temporary-name.ts';
import type { DirectoryHandle } from './directory-handle.ts';
import { errnoOf } from './os-failure.ts';
import { kindOf, versionOf } from './resolve.ts';
import type { Root } from './root.ts';

const CREATE_TEMPORARY = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** Writing this much at once takes less time than a trip to the thread pool. */
const SMALL_BYTES = 64 * 1024;

const writeSome = promisify(write);
const syncFile = promisify(fsync);
// Replacing a file waits for the file system's journal; other calls must not.
const renameEntry = promisify(rename);
let temporaries = 0;

/** Writes `content` under a resolved path, making missing parents. */
export async function writeFileInside(
  root: Root,
  path: string,
  content: Uint8Array,
  options: WriteOptions,
): Promise<FileVersion> {
  if (path === '.') throw new Failure('E_NOT_FILE', 'The workspace root is a directory.');
  return withParents(root, path, (directory, name) => replaceEntry(directory, name, path, content, options));
}

/** Runs work in the directory of a path, making missing parents; they go again where the work fails. */
export async function withParents<Result>(
  root: Root,
  path: string,
  work: (directory: DirectoryHandle, name: string) => Result | Promise<Result>,
): Promise<Result> {
  const parents = path.split('/');
  const name = parents.pop()!;
  using made = new MadeDirectories();
  using directory = enterParents(root, parents, made);
  const result = await work(directory, name);
  made.keep();
  return result;
}

async function replaceEntry(
  directory: DirectoryHandle,
  name: string,
  path: string,
  content: Uint8Array,
  options: WriteOptions,
): Promise<FileVersion> {
  const replaced = replaceable(directory.lstat(name), name, path, options.mode !== undefined);
  const temporary = directory.entry(newTemporaryName(options.callId));
  const fd = openSync(temporary, CREATE_TEMPORARY, replaced === undefined ? 0o666 : 0o600);
  try {
    await fill(fd, content, replaced, options.mode);
    options.signal?.throwIfAborted();
    refuseOther(directory.lstat(name), path, options.expected);
    await renameEntry(temporary, directory.entry(name));
  } catch (error) {
    unlinkSync(temporary);
    throw error;
  }
  const written = directory.lstat(name);
  return written === undefined ? 'missing' : versionOf(written);
}

/** A name that no other file of this process has while it is written. */
export function newTemporaryName(callId: string): string {
  return temporaryName(callId, ++temporaries);
}

async function fill(
  fd: number,
  content: Uint8Array,
  replaced: Stats | undefined,
  mode: number | undefined,
): Promise<void> {
  try {
    for (let done = 0; done < content.length;) {
      done +=
        content.length <= SMALL_BYTES
          ? writeSync(fd, content, done, content.length - done, done)
          : (await writeSome(fd, content, done, content.length - done, done)).bytesWritten;
    }
    if (replaced !== undefined) inherit(fd, replaced);
    if (mode !== undefined) fchmodSync(fd, mode);
    await syncFile(fd);
  } finally {
    closeSync(fd);
  }
}

/** What was looked at must still be there: a change of somebody else is never lost. */
function refuseOther(found: Stats | undefined, path: string, expected: FileVersion | undefined): void {
  const now = found === undefined ? 'missing' : versionOf(found);
  if (expected === undefined || now === expected) return;
  throw new Failure('E_CONFLICT', `${JSON.stringify(path)} was changed while this call was under way.`, {
    hint: 'Nothing was written. Read it again, then go on from what it holds now.',
  });
}

function inherit(fd: number, replaced: Stats): void {
  try {
    fchownSync(fd, replaced.uid, replaced.gid);
  } catch (error) {
    // Only root may give files away; anyone else's file becomes theirs, as with every editor that renames.
    if (errnoOf(error) !== 'EPERM') throw error;
  }
  // As with any write, a new content does not inherit the power to run as somebody else.
  fchmodSync(fd, replaced.mode & 0o777);
}

/** The stat of what will be replaced, undefined for a new file; refuses what must not be. */
function replaceable(
  found: Stats | undefined,
  name: string,
  path: string,
  isModeGiven: boolean,
): Stats | undefined {
  const shown = JSON.stringify(path);
  if (found === undefined) {
    refuseReservedName(name);
    return undefined;
  }
  const kind = kindOf(found);
  if (kind === 'directory') throw new Failure('E_NOT_FILE', `${shown} is a directory.`);
  if (kind === 'other') throw new Failure('E_NOT_FILE', `${shown} is not a regular file.`);
  if (kind === 'link') throw new Failure('E_CONFLICT', `${shown} became a link while it was being used.`);
  if ((found.mode & 0o222) === 0 && !isModeGiven) {
    throw new Failure('E_IO', `${shown} is marked read-only.`, {
      hint: 'Change its mode first if it should be written.',
    });
  }
  return found;
}

/** Names that Windows gives to devices: a file of that name could not be checked out there. */
export function refuseReservedName(name: string): void {
  if (!isReservedName(name)) return;
  throw new Failure('E_INVALID_PATH', `The name ${JSON.stringify(name)} is reserved on Windows.`, {
    hint: 'Choose another name.',
  });
}

function isReservedName(name: string): boolean {
  return /^(con|prn|aux|nul|(com|lpt)[\d¹²³])(\.|$)/i.test(name);
}

function enterParents(root: Root, parents: readonly string[], made: MadeDirectories): DirectoryHandle {
  let directory = root.open();
  for (const name of parents) {
    using parent = directory;
    if (isReservedName(name) && parent.lstat(name) === undefined) refuseReservedName(name);
    const step = parent.ensureDirectory(name);
    if (step.made) made.add(parent, name);
    directory = step.directory;
  }
  return directory;
}

/** Directories made on the way; taken away again unless the write succeeds. */
class MadeDirectories implements Disposable {
  #made: { parent: DirectoryHandle; name: string }[] = [];

  add(parent: DirectoryHandle, name: string): void {
    this.#made.push({ parent: parent.clone(), name });
  }

  keep(): void {
    for (const { parent } of this.#made.splice(0)) parent[Symbol.dispose]();
  }

  [Symbol.dispose](): void {
    for (const { parent, name } of this.#made.splice(0).reverse()) {
      try {
        rmdirSync(parent.entry(name));
      } catch {
        // Somebody else put something into it meanwhile: then it is theirs now.
      }
      parent[Symbol.dispose]();
    }
  }
}
