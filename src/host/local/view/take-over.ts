/**
 * Brings the workspace into the state that a command left its view in: first what is gone, from the bottom up, then
 * what is new, from the top down, then the modes of folders. Each entry is looked at right before, by handles from the
 * pinned root; one that has its new state already is done, so a take-over that was cut off anywhere can be gone on with.
 */
import {
  type BigIntStats,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  futimesSync,
  mkdirSync,
  openSync,
  readlinkSync,
  readSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { setImmediate as otherWork } from 'node:timers/promises';
import { Failure } from '../../../failure.ts';
import { type EntryState, sameState } from '../../entry-state.ts';
import { temporaryName } from '../../temporary-name.ts';
import type { DirectoryHandle } from '../directory-handle.ts';
import { errnoOf, osFailure } from '../os-failure.ts';
import type { FoundChanges, FoundEntry } from './found-changes.ts';
import { modeOf, setMode, stateOf, statIn, versionOf } from './look.ts';
import { Pace } from './pace.ts';
import { TreeWalk } from './tree-walk.ts';

export interface TakeOver {
  /** Names temporary files. */
  readonly id: string;
  readonly found: FoundChanges;
  /** The view's own layer, and the workspace; both are taken over. */
  readonly upper: DirectoryHandle;
  readonly workspace: DirectoryHandle;
}

const OWNER_ENTERS = 0o700;
const OWNER_READS = 0o600;

/** Takes all of it over, or fails at the first entry that is neither as it was nor as it is to be. */
export async function takeOver(parts: TakeOver): Promise<void> {
  const { entries, shut } = parts.found;
  using work = new Work(parts);
  try {
    for (const [path, mode] of shut)
      await work.step(path, () => work.setFolderMode(path, mode | OWNER_ENTERS));
    for (const entry of entries.toReversed())
      if (isRemovedFirst(entry)) await work.step(entry.path, () => work.remove(entry));
    for (const [number, entry] of entries.entries())
      if (entry.after.kind !== 'missing') await work.step(entry.path, () => work.place(entry, number));
  } catch (error) {
    // Who puts the rest back knows nothing of folders that were only opened on the way.
    for (const [path, mode] of shut.toSorted(deepestFirst)) work.setFolderMode(path, mode);
    throw error;
  }
  const modes = new Map(shut);
  for (const { path, after } of entries)
    if (after.kind === 'directory' && after.mode !== undefined) modes.set(path, after.mode);
  for (const [path, mode] of [...modes].sort(deepestFirst))
    await work.step(path, () => work.setFolderMode(path, mode));
}

/** A folder can't be replaced by something else in one step, nor the other way round. */
function isRemovedFirst({ before, after }: FoundEntry): boolean {
  if (before.kind === 'missing') return false;
  return after.kind === 'missing' || (before.kind === 'directory') !== (after.kind === 'directory');
}

function deepestFirst([one]: [string, number], [other]: [string, number]): number {
  return other.split('/').length - one.split('/').length;
}

class Work implements Disposable {
  readonly #id: string;
  readonly #pace = new Pace();
  readonly #upper: TreeWalk;
  readonly #workspace: TreeWalk;

  constructor(parts: TakeOver) {
    this.#id = parts.id;
    this.#upper = new TreeWalk(parts.upper);
    this.#workspace = new TreeWalk(parts.workspace);
  }

  async step(path: string, act: () => void | Promise<void>): Promise<void> {
    if (this.#pace.isOver) await this.#pace.pass();
    try {
      await act();
    } catch (error) {
      throw isInTheWay(error) ? changedMeanwhile(path, error) : osFailure(error, path);
    }
  }

  async remove(entry: FoundEntry): Promise<void> {
    const { folder, name, found } = this.#existing(entry.path);
    if (folder === undefined || found === undefined) return;
    if (entry.before.kind === 'directory') {
      if (found.isDirectory()) rmdirSync(folder.entry(name));
      else if (!(await this.#isAfter(entry, folder, name))) throw changedMeanwhile(entry.path);
      return;
    }
    if (entry.after.kind === 'directory' && found.isDirectory()) return;
    await this.#refuseChanged(entry, folder, name);
    unlinkSync(folder.entry(name));
  }

  async place(entry: FoundEntry, number: number): Promise<void> {
    const { folder, name } = this.#workspace.parentOf(entry.path);
    const found = statIn(folder, name);
    if (entry.after.kind === 'directory') {
      if (found === undefined) mkdirSync(folder.entry(name), { mode: OWNER_ENTERS });
      else if (!found.isDirectory()) throw changedMeanwhile(entry.path);
      return;
    }
    const isUntouched = found === undefined || versionOf(found) === entry.version;
    if (!isUntouched && (await this.#isAfter(entry, folder, name))) return;
    // Removed just now, as the folder or file that it was.
    if (!(found === undefined && isRemovedFirst(entry))) await this.#refuseChanged(entry, folder, name);
    if (isModeOnly(entry)) setMode(folder, name, entry.after.kind === 'file' ? entry.after.mode! : 0);
    else await this.#move(entry, folder, name, number);
  }

  setFolderMode(path: string, mode: number): void {
    const { folder, name, found } = this.#existing(path);
    if (folder !== undefined && found?.isDirectory() === true && modeOf(found) !== mode)
      setMode(folder, name, mode);
  }

  [Symbol.dispose](): void {
    this.#upper[Symbol.dispose]();
    this.#workspace[Symbol.dispose]();
  }

  /** What is at a path; also the folder it was in may be gone by now. */
  #existing(path: string): { folder?: DirectoryHandle; name: string; found?: BigIntStats | undefined } {
    try {
      const { folder, name } = this.#workspace.parentOf(path);
      return { folder, name, found: statIn(folder, name) };
    } catch (error) {
      if (!isInTheWay(error)) throw error;
      return { name: path };
    }
  }

  async #move(entry: FoundEntry, folder: DirectoryHandle, name: string, number: number): Promise<void> {
    const source = this.#upper.parentOf(entry.path);
    const from = statIn(source.folder, source.name);
    const isExpected = entry.after.kind === 'link' ? from?.isSymbolicLink() : from?.isFile();
    if (from === undefined || isExpected !== true || this.#isCut(entry, Number(from.size)))
      throw lost(entry.path);
    // Before it is in the workspace, so that no power of another mode ever is.
    if (entry.after.kind === 'file' && modeOf(from) !== entry.after.mode)
      setMode(source.folder, source.name, entry.after.mode!);
    try {
      renameSync(source.folder.entry(source.name), folder.entry(name));
    } catch (error) {
      if (errnoOf(error) !== 'EXDEV') throw error;
      await this.#copy(source, entry.after, folder, name, number);
    }
  }

  #isCut({ after, bytesAfter }: FoundEntry, size: number): boolean {
    return after.kind === 'file' && size !== bytesAfter;
  }

  /** To another file system; under a name of its own first, so that the entry is never half there. */
  async #copy(
    source: { readonly folder: DirectoryHandle; readonly name: string },
    after: EntryState,
    folder: DirectoryHandle,
    name: string,
    number: number,
  ): Promise<void> {
    const from = source.folder.entry(source.name);
    if (after.kind === 'file') setMode(source.folder, source.name, OWNER_READS);
    const temporary = folder.entry(temporaryName(`call_${this.#id}`, number));
    try {
      unlinkSync(temporary);
    } catch (error) {
      // It is there only where a take-over was cut off.
      if (errnoOf(error) !== 'ENOENT') throw error;
    }
    if (after.kind === 'link') symlinkSync(readlinkSync(from), temporary);
    else await copyContent(source, temporary, after);
    renameSync(temporary, folder.entry(name));
  }

  async #isAfter(entry: FoundEntry, folder: DirectoryHandle, name: string): Promise<boolean> {
    return sameState(await stateOf(folder, name, statIn(folder, name), entry.path), entry.after);
  }

  /** What a hard link was made to has another time of change: then the content counts. */
  async #refuseChanged(entry: FoundEntry, folder: DirectoryHandle, name: string): Promise<void> {
    const found = statIn(folder, name);
    if (found !== undefined && versionOf(found) === entry.version) return;
    if (entry.before.kind === 'other' && entry.version === undefined) return;
    if (!sameState(await stateOf(folder, name, found, entry.path), entry.before))
      throw changedMeanwhile(entry.path);
  }
}

/** By descriptors throughout: whoever swaps the new file for a link gets nothing of another place changed. */
async function copyContent(
  source: { readonly folder: DirectoryHandle; readonly name: string },
  temporary: string | Buffer,
  after: EntryState,
): Promise<void> {
  const from = openSync(source.folder.entry(source.name), constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const to = openSync(temporary, CREATE, OWNER_READS);
    try {
      await copyAll(from, to);
      const { atimeMs, mtimeMs } = fstatSync(from);
      futimesSync(to, atimeMs / 1_000, mtimeMs / 1_000);
      if (after.kind === 'file' && after.mode !== undefined) fchmodSync(to, after.mode);
    } finally {
      closeSync(to);
    }
  } finally {
    closeSync(from);
  }
}

const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const CHUNK_BYTES = 1024 * 1024;

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

function isModeOnly({ before, after }: FoundEntry): boolean {
  return before.kind === 'file' && after.kind === 'file' && before.hash === after.hash;
}

/** No folder is, or something else stands, where one was to be entered, removed or made. */
function isInTheWay(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENOTEMPTY', 'EEXIST', 'EISDIR'].includes(errnoOf(error) ?? '');
}

function changedMeanwhile(path: string, cause?: unknown): Failure {
  return new Failure(
    'E_CONFLICT',
    `${JSON.stringify(path)} was changed by somebody else since the command began.`,
    {
      hint: 'Look at it, then run the command again.',
      details: { path },
      ...(cause === undefined ? {} : { cause }),
    },
  );
}

function lost(path: string): Failure {
  return new Failure('E_IO', `What the command made of ${JSON.stringify(path)} is no longer there.`, {
    hint: 'Run the command again.',
    details: { path },
  });
}
