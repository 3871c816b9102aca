/** Removes an entry and all it holds, from handle to handle, never through a link. */
import { rmdirSync, unlinkSync } from 'node:fs';
import { setImmediate as otherWork } from 'node:timers/promises';
import { Failure } from '../../failure.ts';
import type { RemoveOptions } from '../ports.ts';
import { notToBeTouched } from '../workspace-path.ts';
import type { DirectoryHandle, EntryName } from './directory-handle.ts';

/** Counts what is not a directory at and below an entry, showing each path to `visit` first. */
export async function countTree(
  parent: DirectoryHandle,
  name: EntryName,
  path: string,
  visit?: (path: string) => void,
): Promise<number> {
  const found = parent.lstat(name);
  if (found === undefined) throw new Failure('E_NOT_FOUND', `There is no ${JSON.stringify(path)}.`);
  visit?.(path);
  if (!found.isDirectory()) return 1;
  await otherWork();
  using directory = parent.openDirectory(name);
  let files = 0;
  for (const inner of directory.names())
    files += await countTree(directory, inner, `${path}/${inner.toString()}`, visit);
  return files;
}

/** Removes an entry after every part of it was looked at and may go. */
export async function removeTree(
  parent: DirectoryHandle,
  name: EntryName,
  path: string,
  options: RemoveOptions,
): Promise<number> {
  const files = await countTree(parent, name, path, (inner) => {
    options.signal?.throwIfAborted();
    if (!options.mayRemove(inner)) throw notToBeTouched(path, inner);
  });
  await removeEntry(parent, name, options.signal);
  return files;
}

async function removeEntry(
  parent: DirectoryHandle,
  name: EntryName,
  signal: AbortSignal | undefined,
): Promise<void> {
  signal?.throwIfAborted();
  if (!parent.lstat(name)?.isDirectory()) {
    unlinkSync(parent.entry(name));
    return;
  }
  await emptyDirectory(parent, name, signal);
  rmdirSync(parent.entry(name));
}

async function emptyDirectory(
  parent: DirectoryHandle,
  name: EntryName,
  signal: AbortSignal | undefined,
): Promise<void> {
  await otherWork();
  using directory = parent.openDirectory(name);
  for (const inner of directory.names()) await removeEntry(directory, inner, signal);
}
