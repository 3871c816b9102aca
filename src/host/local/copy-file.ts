/** Copies of single files, by descriptors throughout: whoever swaps the new file for a link gets nothing of another place changed. */
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  futimesSync,
  openSync,
  readSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { setImmediate as otherWork } from 'node:timers/promises';
import type { DirectoryHandle, EntryName } from './directory-handle.ts';
import { errnoOf } from './os-failure.ts';

const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const OWNER_READS = 0o600;
const CHUNK_BYTES = 1024 * 1024;

/** Makes a new file with the content, the times and the owner of another one. */
export async function copyFile(
  source: string | Buffer,
  made: string | Buffer,
  { mode, isSynced = false }: { readonly mode: number | undefined; readonly isSynced?: boolean },
): Promise<void> {
  const from = openSync(source, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const to = openSync(made, CREATE, OWNER_READS);
    try {
      await copyAll(from, to);
      const { atimeMs, mtimeMs, uid, gid } = fstatSync(from);
      giveTo(to, uid, gid);
      futimesSync(to, atimeMs / 1_000, mtimeMs / 1_000);
      if (mode !== undefined) fchmodSync(to, mode);
      if (isSynced) fsyncSync(to);
    } finally {
      closeSync(to);
    }
  } finally {
    closeSync(from);
  }
}

/** Puts a copy with another mode in the place of a file that has other names: they keep theirs, wherever they are. */
export async function separateWithMode(
  folder: DirectoryHandle,
  name: EntryName,
  mode: number,
  temporary: string,
): Promise<void> {
  const made = folder.entry(temporary);
  try {
    await copyFile(folder.entry(name), made, { mode, isSynced: true });
    renameSync(made, folder.entry(name));
  } catch (error) {
    removeMade(made);
    throw error;
  }
}

/** Removes what a copy that was cut off left. */
export function removeMade(made: string | Buffer): void {
  try {
    unlinkSync(made);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
}

/** Only root may give files away. */
function giveTo(fd: number, uid: number, gid: number): void {
  try {
    fchownSync(fd, uid, gid);
  } catch (error) {
    if (errnoOf(error) !== 'EPERM') throw error;
  }
}

async function copyAll(from: number, to: number): Promise<void> {
  const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, fstatSync(from).size + 1));
  for (let position = 0; ;) {
    const count = readSync(from, chunk, 0, chunk.length, position);
    if (count === 0) return;
    for (let done = 0; done < count;) done += writeSync(to, chunk, done, count - done, position + done);
    position += count;
    if (count === CHUNK_BYTES) await otherWork();
  }
}
