/**
 * Files below one root. Every member walks from the pinned root by handles and refuses links; `resolve`
 * alone follows them. Walking is synchronous: it costs less than one trip to the thread pool.
 */
import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  openSync,
  renameSync,
  type Stats,
  symlinkSync,
  unlinkSync,
} from 'node:fs';
import { Failure } from '../../failure.ts';
import type { DirectoryEntry, Files, FileStat, MoveOptions } from '../ports.ts';
import { notToBeTouched, pathIn } from '../workspace-path.ts';
import { isTemporary, isTemporaryOf } from '../temporary-name.ts';
import { separateWithMode } from './copy-file.ts';
import { type DirectoryHandle, O_PATH } from './directory-handle.ts';
import { KnownLines } from './known-lines.ts';
import { LocalOpenFile, toFileStat } from './open-file.ts';
import { osFailure } from './os-failure.ts';
import { countTree, removeTree } from './remove-tree.ts';
import { kindOf, resolveInside } from './resolve.ts';
import type { Root } from './root.ts';
import { newTemporaryName, refuseReservedName, withParents, writeFileInside } from './write-file.ts';

/** How many entries of a directory are looked at before other work gets a turn. */
const LIST_BATCH = 1_000;

/** The contained files of a pinned root. */
export function localFiles(root: Root): Files {
  const known = new KnownLines();
  return {
    resolve: (path, { followLast }) => guarded(path, () => resolveInside(root, path, followLast)),
    open: (path) => guarded(path, () => new LocalOpenFile(openRegular(root, path), known)),
    stat: (path) => guarded(path, () => statEntry(root, path)),
    list: (path) => guarded(path, () => listDirectory(root, path)),
    write: (path, content, options) => guarded(path, () => writeFileInside(root, path, content, options)),
    remove: (path, options) =>
      guarded(path, () =>
        inParent(root, path, async (parent, name) => ({
          files: await removeTree(parent, name, path, options),
        })),
      ),
    move: (from, to, options) => guarded(from, () => moveEntry(root, from, to, options)),
    readLink: (path) => guarded(path, () => inParent(root, path, (parent, name) => parent.readlink(name))),
    makeLink: (path, target) =>
      guarded(path, () => withParents(root, path, (parent, name) => symlinkSync(target, parent.entry(name)))),
    makeDirectory: (path) =>
      guarded(path, () =>
        withParents(root, path, (parent, name) => {
          if (parent.lstat(name) === undefined) refuseReservedName(name);
          parent.ensureDirectory(name).directory[Symbol.dispose]();
        }),
      ),
    setMode: (path, mode, { callId }) => guarded(path, () => setMode(root, path, mode, callId)),
    count: (path, visit) =>
      guarded(path, () => inParent(root, path, (parent, name) => countTree(parent, name, path, visit))),
    sweep: (path, callId) => guarded(path, () => sweepBeside(root, path, callId)),
  };
}

/** Runs a piece of file work; what the operating system says no to becomes a failure about `path`. */
async function guarded<Result>(path: string, work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw osFailure(error, path);
  }
}

/** Walks down from the root, refusing links. */
export function openDirectory(root: Root, names: readonly string[]): DirectoryHandle {
  let directory = root.open();
  for (const name of names) {
    // A workspace path has none of these; whoever made this one up must not get anywhere by it.
    if (name === '..' || name === '' || name === '.')
      throw new Failure('E_INVALID_PATH', 'The path is not normalised.');
    using parent = directory;
    directory = parent.openDirectory(name);
  }
  return directory;
}

async function inParent<Result>(
  root: Root,
  path: string,
  work: (parent: DirectoryHandle, name: string) => Result | Promise<Result>,
): Promise<Result> {
  if (path === '.') throw new Failure('E_INVALID_PATH', 'This can not be done to the workspace root itself.');
  const names = path.split('/');
  const name = names.pop()!;
  using parent = openDirectory(root, names);
  return await work(parent, name);
}

/** Opens a regular file for reading and returns its descriptor. */
export function openRegular(root: Root, path: string): number {
  if (path === '.') throw new Failure('E_NOT_FILE', 'The workspace root is a directory.');
  const names = path.split('/');
  const name = names.pop()!;
  if (name === '..' || name === '') throw new Failure('E_INVALID_PATH', 'The path is not normalised.');
  using parent = openDirectory(root, names);
  // Looked at before it is opened: opening a FIFO or a device is itself an act.
  const looking = openSync(parent.entry(name), O_PATH | constants.O_NOFOLLOW);
  try {
    refuseIrregular(fstatSync(looking), path);
    return openSync(`/proc/self/fd/${looking}`, constants.O_RDONLY | constants.O_NONBLOCK);
  } finally {
    closeSync(looking);
  }
}

function refuseIrregular(stat: Stats, path: string): void {
  const kind = kindOf(stat);
  if (kind === 'file') return;
  const shown = JSON.stringify(path);
  if (kind === 'directory')
    throw new Failure('E_NOT_FILE', `${shown} is a directory.`, { hint: 'List it instead.' });
  if (kind === 'link') throw new Failure('E_CONFLICT', `${shown} became a link while it was being used.`);
  throw new Failure('E_NOT_FILE', `${shown} is not a regular file but a pipe, a socket or a device.`);
}

async function statEntry(root: Root, path: string): Promise<FileStat> {
  if (path === '.') {
    using directory = root.open();
    return toFileStat(directory.lstat('.')!);
  }
  return inParent(root, path, (parent, name) => {
    const stat = parent.lstat(name);
    if (stat === undefined) throw new Failure('E_NOT_FOUND', `There is no ${JSON.stringify(path)}.`);
    return toFileStat(stat);
  });
}

async function listDirectory(root: Root, path: string): Promise<DirectoryEntry[]> {
  using directory = openDirectory(root, path === '.' ? [] : path.split('/'));
  const found: DirectoryEntry[] = [];
  for (const [index, raw] of directory.names().entries()) {
    if (index % LIST_BATCH === LIST_BATCH - 1) await new Promise(setImmediate);
    const name = raw.toString();
    const stat = isTemporary(name) ? undefined : directory.lstat(raw);
    if (stat === undefined) continue;
    const kind = kindOf(stat);
    const inner = pathIn(path, name);
    found.push({
      name,
      kind,
      size: stat.size,
      modifiedMs: stat.mtimeMs,
      ...(kind === 'link' ? { target: linkTarget(root, inner) } : {}),
    });
  }
  return found;
}

function linkTarget(root: Root, path: string): NonNullable<DirectoryEntry['target']> {
  try {
    return resolveInside(root, path, true).kind;
  } catch {
    return 'missing';
  }
}

/** Moves without replacing: Node has no such rename, so what stands there is looked at first. */
async function moveEntry(
  root: Root,
  from: string,
  to: string,
  options: MoveOptions,
): Promise<{ files: number }> {
  if (to === '.' || to === from || to.startsWith(`${from}/`)) {
    throw new Failure('E_INVALID_PATH', 'An entry can not be moved onto or into itself.');
  }
  return inParent(root, from, async (source, oldName) => {
    const files = await countTree(source, oldName, from, (inner) => {
      options.signal?.throwIfAborted();
      if (!options.mayMove(inner, to + inner.slice(from.length))) throw notToBeTouched(from, inner);
    });
    await withParents(root, to, (target, newName) => {
      if (target.lstat(newName) !== undefined)
        throw new Failure('E_CONFLICT', `${JSON.stringify(to)} is there already.`);
      refuseReservedName(newName);
      renameSync(source.entry(oldName), target.entry(newName));
    });
    return { files };
  });
}

/** Changes the mode of a file or directory, also of one that can't be read, and never of what a link leads to, or of another name. */
async function setMode(root: Root, path: string, mode: number, callId: string): Promise<void> {
  await inParent(root, path, async (parent, name) => {
    const looking = openSync(parent.entry(name), O_PATH | constants.O_NOFOLLOW);
    try {
      const found = fstatSync(looking);
      if (kindOf(found) === 'link')
        throw new Failure('E_CONFLICT', `${JSON.stringify(path)} became a link while it was being used.`);
      if (kindOf(found) === 'file' && found.nlink > 1)
        await separateWithMode(parent, name, mode, newTemporaryName(callId));
      else chmodSync(`/proc/self/fd/${looking}`, mode);
    } finally {
      closeSync(looking);
    }
  });
}

function sweepBeside(root: Root, path: string, callId: string): Promise<number> {
  return inParent(root, path, (parent) => {
    const left = parent.names().filter((name) => isTemporaryOf(name.toString(), callId));
    for (const name of left) unlinkSync(parent.entry(name));
    return left.length;
  });
}
