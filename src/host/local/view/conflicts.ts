/** Which of the changed places somebody else changed, too, since the command began. */
import type { BigIntStats } from 'node:fs';
import { dirname } from 'node:path';
import { sameState } from '../../entry-state.ts';
import { pathIn } from '../../workspace-path.ts';
import type { DirectoryHandle } from '../directory-handle.ts';
import { errnoOf } from '../os-failure.ts';
import type { FoundEntry } from './found-changes.ts';
import { stateOf, statIn, versionOf } from './look.ts';
import { Pace } from './pace.ts';
import { TreeWalk } from './tree-walk.ts';

/** Looks at every entry in the workspace, which is taken over. */
export async function findConflicts(
  entries: readonly FoundEntry[],
  workspace: DirectoryHandle,
): Promise<string[]> {
  using walk = new TreeWalk(workspace);
  const pace = new Pace();
  const known = new Set(entries.map(({ path }) => path));
  const conflicts: string[] = [];
  for (const entry of entries) {
    if (pace.isOver) await pace.pass();
    if (entry.isContested === true || (await isChanged(entry, walk, known))) conflicts.push(entry.path);
    else conflicts.push(...addedTo(entry, walk, known));
  }
  return conflicts;
}

async function isChanged(entry: FoundEntry, walk: TreeWalk, known: ReadonlySet<string>): Promise<boolean> {
  const place = placeOf(entry.path, walk);
  // Where the command made the folder, that it is not there yet is as it was; where it did not, the folder is gone.
  if (place === 'nowhere') return entry.before.kind !== 'missing' || !known.has(dirname(entry.path));
  if (place === 'unseen') return false;
  const { folder, name, found } = place;
  if (found !== undefined && versionOf(found) === entry.version) return false;
  // A folder that both made is the same one.
  if (found?.isDirectory() === true && entry.after.kind === 'directory' && entry.before.kind === 'missing')
    return false;
  return !sameState(await stateOf(folder, name, found, entry.path), entry.before);
}

/** What is new in a folder that is to go. */
function addedTo({ path, before, after }: FoundEntry, walk: TreeWalk, known: ReadonlySet<string>): string[] {
  if (before.kind !== 'directory' || after.kind === 'directory') return [];
  const place = placeOf(path, walk);
  if (typeof place === 'string') return [];
  using folder = place.folder.openDirectory(place.name);
  return folder
    .names()
    .map((name) => pathIn(path, String(name)))
    .filter((inner) => !known.has(inner));
}

type Place = ReturnType<TreeWalk['parentOf']> & { readonly found: BigIntStats | undefined };

function placeOf(path: string, walk: TreeWalk): Place | 'nowhere' | 'unseen' {
  try {
    const { folder, name } = walk.parentOf(path);
    return { folder, name, found: statIn(folder, name) };
  } catch (error) {
    const errno = errnoOf(error) ?? '';
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(errno)) return 'nowhere';
    // The owner himself may not look; what was there before was not known, either.
    if (errno === 'EACCES') return 'unseen';
    throw error;
  }
}
