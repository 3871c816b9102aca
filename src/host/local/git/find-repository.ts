/**
 * Where a repository is: found by walking handles down from the pinned root and looking for `.git` from the inside out.
 * A folder that only looks like one (a bare repository in the tree) is none, and nothing is looked for above the root.
 */
import { lstatSync, realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Failure } from '../../../failure.ts';
import { outside, pathIn, relativeToRoot } from '../../workspace-path.ts';
import type { DirectoryHandle } from '../directory-handle.ts';
import type { Root } from '../root.ts';
import { readSmallFile } from './read-small-file.ts';

export interface RepositoryPlace {
  /** The workspace path of its files. */
  readonly workTree: string;
  /** The folder of this work tree: its HEAD and index. */
  readonly own: string;
  /** The folder of all its work trees: objects, refs, settings. */
  readonly shared: string;
  /** Whether both lie in the workspace. */
  readonly isInside: boolean;
}

/** The nearest repository at or above a workspace path. */
export function findRepository(root: Root, path: string): RepositoryPlace {
  for (const { folder, entry } of candidates(root, path).reverse()) {
    const place = entry === 'directory' ? ofDirectory(root, folder) : ofFile(root, folder);
    if (place !== undefined) return place;
  }
  throw new Failure('E_NO_REPOSITORY', `There is no git repository at ${JSON.stringify(path)}.`, {
    hint: 'A repository is looked for from there up to the workspace; one above the workspace is not used.',
  });
}

interface Candidate {
  readonly folder: string;
  readonly entry: 'directory' | 'file';
}

/** Every folder on the way that has a `.git`, from the root down. */
function candidates(root: Root, path: string): Candidate[] {
  using stack = new DisposableStack();
  const found: Candidate[] = [];
  let directory = stack.use(root.open());
  let walked = '.';
  for (const name of ['.', ...(path === '.' ? [] : path.split('/'))]) {
    if (name !== '.') {
      // What lies in a repository's own folder is no work tree.
      if (name.toLowerCase() === '.git' || directory.lstat(name)?.isDirectory() !== true) break;
      directory = stack.use(directory.openDirectory(name));
      walked = pathIn(walked, name);
    }
    const entry = directory.lstat('.git');
    if (entry?.isSymbolicLink() === true) throw behindLink(walked);
    if (entry?.isDirectory() === true) found.push({ folder: walked, entry: 'directory' });
    else if (entry?.isFile() === true) found.push({ folder: walked, entry: 'file' });
  }
  return found;
}

function ofDirectory(root: Root, folder: string): RepositoryPlace | undefined {
  const own = `${absolute(root, folder)}/.git`;
  using directory = walkTo(root, pathIn(folder, '.git'));
  return isRepository(directory) ? { workTree: folder, own, shared: own, isInside: true } : undefined;
}

/** A work tree beside the main one, or a submodule: its `.git` says where the rest is. */
function ofFile(root: Root, folder: string): RepositoryPlace {
  const tree = absolute(root, folder);
  const [, written] = /^gitdir: ([^\n]+)\n*$/.exec(readSmallFile(`${tree}/.git`) ?? '') ?? [];
  if (written === undefined) throw broken(folder, 'does not say where the repository is');
  const own = real(resolve(tree, written));
  if (own === undefined) throw broken(folder, 'leads to a place that is not there');
  const common = readSmallFile(`${own}/commondir`)?.trim();
  const shared = common === undefined ? own : real(resolve(own, common));
  if (shared === undefined || !isComplete(own, shared)) throw broken(folder, 'leads to no repository');
  const isInside = [own, shared].every((place) => relativeToRoot(place, root.roots) !== undefined);
  if (!isInside && !isRegistered(own, shared, tree)) throw outside(pathIn(folder, '.git'), own);
  return { workTree: folder, own, shared, isInside };
}

/** A repository knows its work trees: what is only a file's claim leads anywhere. */
function isRegistered(own: string, shared: string, tree: string): boolean {
  const knownAs = readSmallFile(`${own}/gitdir`)?.trim();
  if (knownAs === undefined || !own.startsWith(`${shared}/worktrees/`)) return false;
  return real(dirname(resolve(own, knownAs))) === tree;
}

function isComplete(own: string, shared: string): boolean {
  const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  const isFolder = (path: string): boolean =>
    lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  return isThere(`${own}/HEAD`) && isFolder(`${shared}/objects`) && isFolder(`${shared}/refs`);
}

function isRepository(git: DirectoryHandle): boolean {
  return (
    git.lstat('HEAD') !== undefined &&
    git.lstat('objects')?.isDirectory() === true &&
    git.lstat('refs')?.isDirectory() === true
  );
}

function walkTo(root: Root, path: string): DirectoryHandle {
  let directory = root.open();
  for (const name of path.split('/')) {
    using above = directory;
    directory = above.openDirectory(name);
  }
  return directory;
}

function absolute(root: Root, path: string): string {
  return path === '.' ? root.roots[0] : `${root.roots[0]}/${path}`;
}

function real(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

function behindLink(folder: string): Failure {
  return new Failure('E_UNSUPPORTED', `${JSON.stringify(pathIn(folder, '.git'))} is a link.`, {
    hint: 'Links to repositories are not followed; make a work tree with `git worktree add` instead.',
  });
}

function broken(folder: string, how: string): Failure {
  return new Failure('E_GIT', `The file ${JSON.stringify(pathIn(folder, '.git'))} ${how}.`);
}
