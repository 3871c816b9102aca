/**
 * What git gets in place of a repository's shared folder: settings of ours, no hooks, and links to what is only read or
 * written as data. The work tree's own folder, with HEAD and index, stays the real one.
 */
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { outside, relativeToRoot, type Roots } from '../../workspace-path.ts';
import type { GitPrograms } from '../../ports.ts';
import { osFailure } from '../os-failure.ts';
import type { RepositoryPlace } from './find-repository.ts';
import { readSmallFile } from './read-small-file.ts';

export interface StandIn extends Disposable {
  readonly folder: string;
}

/** What runs get besides the repository's data. */
export interface StandInFiles {
  readonly config: string;
  readonly excludes: string;
  readonly attributes: string;
  /** Who commits. */
  readonly identity: string;
}

/** Data of a repository; a link in one of these places is not followed. */
const LINKED = ['objects', 'refs', 'packed-refs', 'reftable', 'info', 'logs', 'shallow', 'worktrees'];
/** Where it is the first commit that makes them. */
const MADE_LATER = new Set(['logs']);

/** What a process that was killed left behind is removed after this long. */
const LEFT_BEHIND_MS = 86_400_000;

/** Makes one in Handrail's own folder. */
export function standInFor(
  place: RepositoryPlace,
  roots: Roots,
  own: string,
  { runsPrograms }: GitPrograms,
  filesIn: (folder: string) => StandInFiles,
): StandIn {
  refuseBorrowed(place, roots);
  try {
    mkdirSync(own, { recursive: true, mode: 0o700 });
    removeLeftBehind(own);
    const folder = mkdtempSync(join(own, 'for-'));
    for (const name of runsPrograms ? [...LINKED, 'hooks'] : LINKED) link(place, name, folder);
    // Which branch the main work tree is on, so that nobody takes it away.
    writeFileSync(
      join(folder, 'HEAD'),
      readSmallFile(`${place.shared}/HEAD`) ?? 'ref: refs/heads/.invalid\n',
    );
    for (const [name, content] of Object.entries(filesIn(folder))) writeFileSync(join(folder, name), content);
    return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
  } catch (error) {
    throw osFailure(error, own);
  }
}

function link({ shared }: RepositoryPlace, name: string, folder: string): void {
  const target = `${shared}/${name}`;
  const found = lstatSync(target, { throwIfNoEntry: false });
  const isData = found === undefined ? MADE_LATER.has(name) : !found.isSymbolicLink();
  if (isData) symlinkSync(target, join(folder, name));
}

/** A repository may take objects from others; those of places that nobody may look into are not shown this way. */
function refuseBorrowed({ shared }: RepositoryPlace, roots: Roots): void {
  const objects = `${shared}/objects`;
  const lines = readSmallFile(`${objects}/info/alternates`)?.split('\n') ?? [];
  for (const line of lines.filter((line) => line !== '' && !line.startsWith('#'))) {
    const lender = resolve(objects, line);
    const isOwn = lender.startsWith(`${shared}/`) || relativeToRoot(lender, roots) !== undefined;
    if (!isOwn) throw outside(`${objects}/info/alternates`, lender);
  }
}

function removeLeftBehind(own: string): void {
  const isOld = (path: string): boolean =>
    Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) > LEFT_BEHIND_MS;
  const paths = readdirSync(own).map((name) => join(own, name));
  for (const path of paths.filter(isOld)) rmSync(path, { recursive: true, force: true });
}
