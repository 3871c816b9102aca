/**
 * Finds what a command changed in a view. The folders of the upper layer are walked, so the cost depends on what was
 * changed and not on how large the workspace is. Three trees are compared by handles: the upper layer, the workspace
 * below it, and both merged, as the command saw them.
 */
import type { BigIntStats } from 'node:fs';
import { type EntryState, sameState } from '../../entry-state.ts';
import { pathIn } from '../../workspace-path.ts';
import type { DirectoryHandle, EntryName } from '../directory-handle.ts';
import { errnoOf } from '../os-failure.ts';
import { type FoundChanges, GIT_INDEX, type Layers, type ViewStart } from './found-changes.ts';
import { modeOf, setMode, statIn, stateOf, versionOf } from './look.ts';
import { Pace } from './pace.ts';

/** Walks a view after its command ended. */
export async function findChanges(
  layers: Layers,
  start: ViewStart,
  signal: AbortSignal,
): Promise<FoundChanges> {
  const walk = new Walk(start, signal);
  const [upper, lower] = [layers.upper.identity(), layers.lower.identity()];
  if (modeOf(upper) !== modeOf(lower))
    walk.gap(`The mode of the workspace folder itself stays ${modeOf(lower).toString(8)}.`);
  await walk.both('.', layers);
  return walk.done();
}

const OWNER_ENTERS = 0o700;
const POWERS = 0o7000;
const MAX_NAMED = 5;

class Walk {
  readonly #found: FoundChanges = { entries: [], gaps: [], notes: [], shut: [] };
  /** Changed files that have other names, which stay as they are. */
  readonly #linked: string[] = [];
  readonly #fence: ViewStart['fence'];
  readonly #indexMeaning: ViewStart['indexMeaning'];
  readonly #pace: Pace;
  readonly #isRoot = process.getuid?.() === 0;

  constructor({ fence, indexMeaning }: ViewStart, signal: AbortSignal) {
    this.#fence = fence;
    this.#indexMeaning = indexMeaning;
    this.#pace = new Pace(signal);
  }

  done(): FoundChanges {
    if (this.#linked.length > 0) this.#found.notes.push(toldLinked(this.#linked));
    return this.#found;
  }

  gap(says: string): void {
    this.#found.gaps.push(says);
  }

  /** A folder that is in both layers. */
  async both(path: string, { upper, lower, merged }: Layers): Promise<void> {
    const inUpper = upper.names();
    const inLower = this.#namesOf(lower, path);
    const known = new Set(inUpper.map(String));
    for (const name of inUpper) await this.#upperName(path, name, upper, { lower, merged });
    // Single names that were removed are marked in the upper layer; of a folder that was made anew, none shows.
    const unmarked = inLower.filter((name) => !known.has(String(name)));
    const oldest = unmarked.find((name) => this.#isOlder(lower, name));
    if (oldest === undefined || statIn(merged, oldest) !== undefined) return;
    for (const name of unmarked)
      if (this.#isOlder(lower, name)) await this.#removed(pathIn(path, String(name)), lower, name);
  }

  async #upperName(
    folder: string,
    name: EntryName,
    upper: DirectoryHandle,
    below?: Omit<Layers, 'upper'>,
  ): Promise<void> {
    if (this.#pace.isOver) await this.#pace.pass();
    const now = statIn(upper, name)!;
    const was = below === undefined ? undefined : this.#statBelow(below.lower, name);
    if (isRemoval(now)) {
      if (was !== undefined) await this.#removed(pathIn(folder, String(name)), below!.lower, name);
      return;
    }
    if (typeof name !== 'string') {
      this.gap(`${shown(folder, name)} was left out: its name is not UTF-8.`);
      return;
    }
    const path = pathIn(folder, name);
    if (!now.isDirectory()) await this.#leaf(path, name, upper, now, below?.lower, was);
    else if (was !== 'unknown' && was?.isDirectory() === true)
      await this.#folderInBoth(path, name, upper, now, below!, was);
    else await this.#madeFolder(path, name, upper, now, below?.lower, was);
  }

  /** A file, a link, or what can't be kept. */
  async #leaf(
    path: string,
    name: string,
    upper: DirectoryHandle,
    now: BigIntStats,
    lower: DirectoryHandle | undefined,
    was: Below,
  ): Promise<void> {
    if (now.isFile() && (now.mode & 0o400n) === 0n && !this.#isRoot)
      setMode(upper, name, modeOf(now) | 0o600);
    const state = await stateOf(upper, name, now, path);
    if (state.kind === 'other') {
      const what = now.isSymbolicLink() ? 'its target is not UTF-8' : 'it is a pipe, a socket or a device';
      this.gap(`${JSON.stringify(path)} was left out: ${what}.`);
      return;
    }
    const before = await this.#before(path, lower, name, was);
    const after = this.#withoutPowers(path, before, state);
    if (sameState(before, after)) return;
    const position = this.#found.entries.length;
    this.#add(path, before, after, was, now);
    if (before.kind === 'file' && was !== undefined && was !== 'unknown' && was.nlink > 1n)
      this.#linked.push(path);
    if (before.kind !== 'directory' || (await this.#removedContent(path, lower!, name))) return;
    this.#found.entries.splice(position, 1);
    this.gap(`${JSON.stringify(path)} was left out: the folder that it was stays.`);
  }

  /** Nothing new may run as somebody else. */
  #withoutPowers(path: string, before: EntryState, after: EntryState): EntryState {
    if (after.kind !== 'file' || after.mode === undefined) return after;
    const had = before.kind === 'file' && before.hash === after.hash ? (before.mode ?? 0) & POWERS : 0;
    const gained = after.mode & POWERS & ~had;
    if (gained === 0) return after;
    this.gap(`${JSON.stringify(path)} is kept without the bits ${gained.toString(8)} of its mode.`);
    return { ...after, mode: after.mode & ~gained };
  }

  async #folderInBoth(
    path: string,
    name: string,
    upper: DirectoryHandle,
    now: BigIntStats,
    { lower, merged }: Omit<Layers, 'upper'>,
    was: BigIntStats,
  ): Promise<void> {
    if (modeOf(now) !== modeOf(was)) {
      const [before, after] = [was, now].map((stat) => ({ kind: 'directory', mode: modeOf(stat) }) as const);
      this.#add(path, before!, after!, was, now);
    }
    this.#noteShut(path, was);
    // Over everything now: what the command may not enter, its owner may be let in to, through the view.
    if (!this.#isRoot && !isOpen(now)) setMode(merged, name, modeOf(now) | OWNER_ENTERS);
    using inUpper = upper.openDirectory(name);
    using inLower = lower.openDirectory(name);
    using inMerged = merged.openDirectory(name);
    await this.both(path, { upper: inUpper, lower: inLower, merged: inMerged });
  }

  async #madeFolder(
    path: string,
    name: string,
    upper: DirectoryHandle,
    now: BigIntStats,
    lower: DirectoryHandle | undefined,
    was: Below,
  ): Promise<void> {
    const before = await this.#before(path, lower, name, was);
    this.#add(path, before, { kind: 'directory', mode: modeOf(now) }, was, now);
    if (!this.#isRoot && !isOpen(now)) setMode(upper, name, modeOf(now) | OWNER_ENTERS);
    using inside = upper.openDirectory(name);
    for (const inner of inside.names()) await this.#upperName(path, inner, inside);
  }

  /** An entry of the workspace that is no more, with all it held; says whether nothing of it stays. */
  async #removed(path: string, lower: DirectoryHandle, name: EntryName): Promise<boolean> {
    if (this.#pace.isOver) await this.#pace.pass();
    if (typeof name !== 'string') {
      this.gap(`${JSON.stringify(path)} stays, with the folders it is in: its name is not UTF-8.`);
      return false;
    }
    const was = this.#statBelow(lower, name);
    const before = await this.#before(path, lower, name, was);
    const position = this.#found.entries.length;
    this.#add(path, before, { kind: 'missing' }, was);
    if (before.kind !== 'directory') return true;
    if (await this.#removedContent(path, lower, name)) return true;
    this.#found.entries.splice(position, 1);
    return false;
  }

  async #removedContent(path: string, lower: DirectoryHandle, name: string): Promise<boolean> {
    using inside = lower.openDirectory(name);
    this.#noteShut(path, statIn(lower, name)!);
    let isAll = true;
    for (const inner of this.#namesOf(inside, path))
      if (!(await this.#removed(pathIn(path, String(inner)), inside, inner))) isAll = false;
    return isAll;
  }

  async #before(
    path: string,
    lower: DirectoryHandle | undefined,
    name: string,
    was: Below,
  ): Promise<EntryState> {
    if (was === undefined) return { kind: 'missing' };
    const state: EntryState = was === 'unknown' ? { kind: 'other' } : await stateOf(lower!, name, was, path);
    if (state.kind === 'other')
      this.gap(`What ${JSON.stringify(path)} was before can't be kept: it is no file, or may not be read.`);
    return state;
  }

  #add(path: string, before: EntryState, after: EntryState, was: Below, now?: BigIntStats): void {
    const known = was === 'unknown' ? undefined : was;
    this.#found.entries.push({
      path,
      before,
      after,
      ...(before.kind === 'file' ? { bytesBefore: Number(known!.size) } : {}),
      ...(after.kind === 'file' ? { bytesAfter: Number(now!.size) } : {}),
      ...(known === undefined ? {} : { version: versionOf(known) }),
      ...(known !== undefined && this.#isContested(path, known, before) ? { isContested: true } : {}),
    });
  }

  #isContested(path: string, known: BigIntStats, before: EntryState): boolean {
    // A folder changes with every name in it, whoever made that.
    if (known.isDirectory() || known.ctimeNs < this.#fence) return false;
    const meaning = path === GIT_INDEX && before.kind === 'file' ? before.meaning : undefined;
    return meaning === undefined || meaning !== this.#indexMeaning();
  }

  #noteShut(path: string, was: BigIntStats): void {
    if (!this.#isRoot && !isOpen(was)) this.#found.shut.push([path, modeOf(was)]);
  }

  #namesOf(folder: DirectoryHandle, path: string): EntryName[] {
    try {
      return folder.names();
    } catch (error) {
      if (errnoOf(error) !== 'EACCES') throw error;
      this.gap(`What was in ${JSON.stringify(path)} before is not known: it may not be read.`);
      return [];
    }
  }

  /** What was there when the command began, at least under another name. */
  #isOlder(lower: DirectoryHandle, name: EntryName): boolean {
    const found = this.#statBelow(lower, name);
    return found !== undefined && (found === 'unknown' || found.birthtimeNs < this.#fence);
  }

  #statBelow(lower: DirectoryHandle, name: EntryName): Below {
    try {
      return statIn(lower, name);
    } catch (error) {
      if (errnoOf(error) === 'EACCES') return 'unknown';
      throw error;
    }
  }
}

/** What the workspace has under a name; `unknown` where that may not be looked at. */
type Below = BigIntStats | 'unknown' | undefined;

/** How the upper layer says that a name is gone. */
function isRemoval(now: BigIntStats): boolean {
  return now.isCharacterDevice() && now.rdev === 0n;
}

function isOpen(stat: BigIntStats): boolean {
  return (modeOf(stat) & OWNER_ENTERS) === OWNER_ENTERS;
}

function toldLinked(paths: readonly string[]): string {
  const names = paths.slice(0, MAX_NAMED).map((path) => JSON.stringify(path));
  const more = paths.length > MAX_NAMED ? ` and ${paths.length - MAX_NAMED} more` : '';
  return `Other names of the same files (hard links) keep what they hold; changed were ${names.join(', ')}${more}.`;
}

function shown(folder: string, name: EntryName): string {
  return JSON.stringify(pathIn(folder, String(name)));
}
