/** Looks at single entries by handles, and says what they are and hold. */
import { isUtf8 } from 'node:buffer';
import { createHash, hash } from 'node:crypto';
import {
  type BigIntStats,
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  read,
  readlinkSync,
  readSync,
} from 'node:fs';
import { promisify } from 'node:util';
import type { EntryState } from '../../entry-state.ts';
import { gitIndexMeaning, isGitIndex, MAX_INDEX_BYTES } from '../../git-index-meaning.ts';
import { type DirectoryHandle, type EntryName, O_PATH } from '../directory-handle.ts';
import { errnoOf } from '../os-failure.ts';

const readSome = promisify(read);

/** Reading this much at once does not keep anybody waiting. */
const SMALL_BYTES = 1024 * 1024;

/** What stands under a name, links not followed. */
export function statIn(directory: DirectoryHandle, name: EntryName): BigIntStats | undefined {
  return lstatSync(directory.entry(name), { bigint: true, throwIfNoEntry: false });
}

/** In the bits above, a view on another file system notes which of its layers an inode is from. */
const INODE_BITS = 48;

/** The inode, the same in a view as below it. */
export function inodeOf(found: Pick<BigIntStats, 'ino'> | undefined): bigint | undefined {
  return found === undefined ? undefined : BigInt.asUintN(INODE_BITS, found.ino);
}

/** Permission bits, and those for other powers. */
export function modeOf({ mode }: BigIntStats): number {
  return Number(mode & 0o7777n);
}

/** Changes whenever the entry does. */
export function versionOf({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${ino}:${size}:${mtimeNs}:${ctimeNs}`;
}

/** The state of an entry, which is also known by its path; `other` where it can't be known. */
export async function stateOf(
  directory: DirectoryHandle,
  name: EntryName,
  found: BigIntStats | undefined,
  path: string,
): Promise<EntryState> {
  if (found === undefined) return { kind: 'missing' };
  if (found.isDirectory()) return { kind: 'directory', mode: modeOf(found) };
  if (found.isSymbolicLink()) return linkState(directory, name);
  if (!found.isFile()) return { kind: 'other' };
  const content = await readIn(directory, name, path);
  return content === undefined ? { kind: 'other' } : { kind: 'file', ...content, mode: modeOf(found) };
}

/** The target as it is written; one that is not UTF-8 can't be told. */
function linkState(directory: DirectoryHandle, name: EntryName): EntryState {
  const target = readlinkSync(directory.entry(name), { encoding: 'buffer' });
  return isUtf8(target) ? { kind: 'link', target: target.toString() } : { kind: 'other' };
}

/** What tells the content of a regular file; undefined where it may not be read. */
async function readIn(
  directory: DirectoryHandle,
  name: EntryName,
  path: string,
): Promise<{ hash: string; meaning?: string } | undefined> {
  let fd: number;
  try {
    fd = openSync(directory.entry(name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (errnoOf(error) === 'EACCES' || errnoOf(error) === 'EPERM') return undefined;
    throw error;
  }
  try {
    const { size } = fstatSync(fd);
    const isIndex = isGitIndex(path);
    if (size > (isIndex ? MAX_INDEX_BYTES : SMALL_BYTES)) return { hash: await hashLarge(fd) };
    const content = readWhole(fd, size);
    const meaning = isIndex ? gitIndexMeaning(content) : undefined;
    return { hash: hash('sha256', content), ...(meaning === undefined ? {} : { meaning }) };
  } finally {
    closeSync(fd);
  }
}

function readWhole(fd: number, size: number): Buffer {
  // One byte more than it had tells whether it grew.
  const content = Buffer.allocUnsafe(size + 1);
  let filled = 0;
  for (let count = -1; count !== 0 && filled < content.length; filled += count)
    count = readSync(fd, content, filled, content.length - filled, filled);
  return content.subarray(0, filled);
}

async function hashLarge(fd: number): Promise<string> {
  const running = createHash('sha256');
  const chunk = Buffer.allocUnsafe(SMALL_BYTES);
  for (let position = 0; ;) {
    const { bytesRead } = await readSome(fd, chunk, 0, chunk.length, position);
    if (bytesRead === 0) return running.digest('hex');
    running.update(chunk.subarray(0, bytesRead));
    position += bytesRead;
  }
}

/** Sets the mode of a file or folder, never of what a link leads to. */
export function setMode(directory: DirectoryHandle, name: EntryName, mode: number): void {
  const fd = openSync(directory.entry(name), O_PATH | constants.O_NOFOLLOW);
  try {
    if (!fstatSync(fd).isSymbolicLink()) chmodSync(`/proc/self/fd/${fd}`, mode);
  } finally {
    closeSync(fd);
  }
}
