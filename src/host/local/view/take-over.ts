/**
 * Brings the workspace into the state that a command left its view in: first what is gone, from the bottom up, then
 * what is new, from the top down, then the modes of folders. Each entry is looked at right before, by handles from the
 * pinned root; one that has its new state already is done, so a take-over that was cut off anywhere can be gone on with.
 */
import {
  type BigIntStats,
  mkdirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs';
import { Failure } from '../../../failure.ts';
import { type EntryState, sameState } from '../../entry-state.ts';
import { temporaryName } from '../../temporary-name.ts';
import { copyFile, removeMade, separateWithMode } from '../copy-file.ts';
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
    const mode = modeAlone(entry);
    if (mode === undefined) await this.#move(entry, folder, name, number);
    else if (found!.nlink === 1n) setMode(folder, name, mode);
    else await this.#separate(folder, name, mode, number);
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

  /** A mode is of all names that a file has, also of those outside. */
  async #separate(folder: DirectoryHandle, name: string, mode: number, number: number): Promise<void> {
    const temporary = this.#temporary(number);
    removeMade(folder.entry(temporary));
    await separateWithMode(folder, name, mode, temporary);
  }

  #temporary(number: number): string {
    return temporaryName(`call_${this.#id}`, number);
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
    const temporary = folder.entry(this.#temporary(number));
    removeMade(temporary);
    if (after.kind === 'link') symlinkSync(readlinkSync(from), temporary);
    else await copyFile(from, temporary, { mode: after.kind === 'file' ? after.mode : undefined });
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

/** The new mode of a file of which nothing else changed. */
function modeAlone({ before, after }: FoundEntry): number | undefined {
  const isSame = before.kind === 'file' && after.kind === 'file' && before.hash === after.hash;
  return isSame ? after.mode : undefined;
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
