/**
 * What git gets in place of a repository's shared folder: settings of ours, no hooks, and links to what is only read or
 * written as data. The work tree's own folder, with HEAD and index, stays the real one.
 */
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
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

interface StandInParts extends GitPrograms {
  readonly roots: Roots;
  /** Handrail's own folder for them. */
  readonly own: string;
  /** Where a run sees the shared folder. */
  readonly seenAs: string;
  readonly filesIn: (folder: string) => StandInFiles;
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
  { roots, own, seenAs, runsPrograms, filesIn }: StandInParts,
): StandIn {
  refuseBorrowed(place, roots);
  try {
    mkdirSync(own, { recursive: true, mode: 0o700 });
    removeLeftBehind(own);
    const folder = mkdtempSync(join(own, 'for-'));
    for (const name of runsPrograms ? [...LINKED, 'hooks'] : LINKED) link(place.shared, seenAs, name, folder);
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

function link(shared: string, seenAs: string, name: string, folder: string): void {
  const found = lstatSync(`${shared}/${name}`, { throwIfNoEntry: false });
  const isData = found === undefined ? MADE_LATER.has(name) : !found.isSymbolicLink();
  if (isData) symlinkSync(`${seenAs}/${name}`, join(folder, name));
}

/** A repository may take objects from others; those of places that nobody may look into are not shown this way. */
function refuseBorrowed({ shared }: RepositoryPlace, roots: Roots): void {
  const objects = `${shared}/objects`;
  const lines = readSmallFile(`${objects}/info/alternates`)?.split('\n') ?? [];
  for (const line of lines.filter((line) => line !== '' && !line.startsWith('#'))) {
    const written = resolve(objects, line);
    const lender = realPath(written) ?? written;
    const isOwn = lender.startsWith(`${shared}/`) || relativeToRoot(lender, roots) !== undefined;
    if (!isOwn) throw outside(`${objects}/info/alternates`, lender);
  }
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

function removeLeftBehind(own: string): void {
  const isOld = (path: string): boolean =>
    Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) > LEFT_BEHIND_MS;
  const paths = readdirSync(own).map((name) => join(own, name));
  for (const path of paths.filter(isOld)) rmSync(path, { recursive: true, force: true });
}
