/** What is different in a workspace since it was copied. Times of change say where to look; contents decide. */
import type { BigIntStats } from 'node:fs';
import { Failure } from '../../../failure.ts';
import { type EntryState, sameState } from '../../entry-state.ts';
import type { ChangedEntry } from '../../ports.ts';
import { errnoOf } from '../os-failure.ts';
import type { Root } from '../root.ts';
import { modeOf, stateOf, statIn, versionOf } from '../view/look.ts';
import { Pace } from '../view/pace.ts';
import { TreeWalk } from '../view/tree-walk.ts';
import type { CopiedContents } from './copied-contents.ts';
import { boundedGaps, isUnseen, type KeptEntry, type KeptTree } from './kept-tree.ts';
import type { Scan, SeenEntry } from './scan.ts';
import { withMeaning } from './with-meaning.ts';

export interface TreeChanges {
  readonly entries: readonly ChangedEntry[];
  readonly gaps: readonly string[];
  /** Which version of each entry was looked at. */
  readonly versions: ReadonlyMap<string, string>;
}

interface Compared {
  readonly root: Root;
  readonly contents: CopiedContents;
  readonly before: KeptTree;
  readonly after: Scan;
  readonly signal?: AbortSignal | undefined;
}

const MISSING: EntryState = { kind: 'missing' };
const ATTEMPTS = 3;

/** Compares what was copied with what is there now. */
export async function changesBetween(parts: Compared): Promise<TreeChanges> {
  const { before, after } = parts;
  const entries: ChangedEntry[] = [];
  const versions = new Map<string, string>();
  const gaps = [...new Map([...before.unseen, ...after.unseen])].map(
    ([path, why]) => `What happened in ${JSON.stringify(path)} is not known: ${why}.`,
  );
  const pace = new Pace(parts.signal);
  using walk = new TreeWalk(parts.root.open());
  for (const path of differing(before, after)) {
    if (pace.isOver) await pace.pass();
    const old = before.entries.get(path);
    const now = await lookAt(walk, path);
    versions.set(path, now.version);
    if (!now.isSteady) gaps.push(`${JSON.stringify(path)} was still being changed when it was looked at.`);
    const states = { before: await stateBefore(parts.contents, path, old), after: now.state };
    if (sameState(states.before, states.after)) continue;
    if (states.before.kind === 'other' && old?.kind === 'file' && old.hash !== undefined)
      gaps.push(`The copy of ${JSON.stringify(path)} is gone, or not what it was any more.`);
    const isNothingToKeep = old === undefined || old.kind === 'other';
    if (states.after.kind === 'other' && isNothingToKeep)
      gaps.push(`${JSON.stringify(path)} is nothing that undo could remove.`);
    else entries.push({ path, ...states, ...sizes(old, now) });
  }
  return { entries, gaps: boundedGaps(gaps), versions };
}

/** Paths where something may be different; parents come before what they hold. */
function differing(before: KeptTree, after: Scan): string[] {
  const paths: string[] = [];
  for (const [path, old] of before.entries) {
    const now = after.entries.get(path);
    if ((now === undefined || !looksSame(old, now)) && !isUnseen(path, after)) paths.push(path);
  }
  for (const path of after.entries.keys())
    if (!before.entries.has(path) && !isUnseen(path, before)) paths.push(path);
  return paths.sort();
}

function looksSame(old: KeptEntry, now: SeenEntry): boolean {
  if (old.kind === 'link' && now.kind === 'link') return old.target === now.target;
  if (old.kind === 'directory' && now.kind === 'directory') return old.mode === now.mode;
  if (old.kind === 'directory' || old.kind === 'link') return false;
  return old.kind === now.kind && old.version === now.version;
}

interface Looked {
  readonly state: EntryState;
  readonly version: string;
  readonly size?: number;
  /** Whether it stayed the same while its content was read. */
  readonly isSteady: boolean;
}

async function lookAt(walk: TreeWalk, path: string): Promise<Looked> {
  for (let attempt = 1; ; attempt++) {
    const place = placeOf(walk, path);
    if (place === undefined) return { state: MISSING, version: 'missing', isSteady: true };
    const { folder, name } = place;
    const found = statIn(folder, name);
    const version = versionNow(found);
    const state = await stateOf(folder, name, found, path).catch((error: unknown) => {
      // Gone, or another thing, between two looks.
      if (errnoOf(error) === undefined) throw error;
      return undefined;
    });
    const isSteady = state !== undefined && version === versionNow(statIn(folder, name));
    if (!isSteady && attempt < ATTEMPTS) continue;
    const size = found?.isFile() === true ? { size: Number(found.size) } : {};
    return { state: state ?? { kind: 'other' }, version, isSteady, ...size };
  }
}

/** Undefined where one of the directories above it is gone, or none any more. */
function placeOf(walk: TreeWalk, path: string): ReturnType<TreeWalk['parentOf']> | undefined {
  try {
    return walk.parentOf(path);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'ENOENT' || errno === 'ENOTDIR' || errno === 'ELOOP') return undefined;
    throw error;
  }
}

/** A directory stays what it is, whatever comes and goes in it. */
function versionNow(found: BigIntStats | undefined): string {
  if (found === undefined) return 'missing';
  return found.isDirectory() ? `directory:${modeOf(found)}` : versionOf(found);
}

/** The paths whose entries are not those any more that were looked at. */
export async function changedSince(root: Root, versions: ReadonlyMap<string, string>): Promise<string[]> {
  using walk = new TreeWalk(root.open());
  const pace = new Pace();
  const changed: string[] = [];
  for (const [path, version] of versions) {
    if (pace.isOver) await pace.pass();
    const place = placeOf(walk, path);
    const found = place === undefined ? undefined : statIn(place.folder, place.name);
    if (version !== versionNow(found)) changed.push(path);
  }
  return changed;
}

/** A file without a sound copy can't be compared, nor given back. */
async function stateBefore(
  contents: CopiedContents,
  path: string,
  old: KeptEntry | undefined,
): Promise<EntryState> {
  if (old === undefined) return MISSING;
  if (old.kind === 'directory') return { kind: 'directory', mode: old.mode };
  if (old.kind === 'link') return { kind: 'link', target: old.target };
  if (old.kind === 'other' || old.hash === undefined) return { kind: 'other' };
  const { hash, mode } = old;
  try {
    await using copy = await contents.open(hash);
    return await withMeaning(path, { kind: 'file', hash, mode }, copy);
  } catch (error) {
    if (error instanceof Failure) return { kind: 'other' };
    throw error;
  }
}

function sizes(old: KeptEntry | undefined, now: Looked): Pick<ChangedEntry, 'bytesBefore' | 'bytesAfter'> {
  return {
    ...(old?.kind === 'file' ? { bytesBefore: old.size } : {}),
    ...(now.size === undefined ? {} : { bytesAfter: now.size }),
  };
}
