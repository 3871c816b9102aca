/**
 * How the workspace is shown to a command, and what of it is held. A mount inside a folder that may be renamed is no
 * protection, so every folder on the way to something held is mounted onto itself. bubblewrap mounts by name: what
 * was looked at here and what it mounted are compared before the command starts, so a swap in between is noticed.
 */
import { type BigIntStats, lstatSync, mkdirSync } from 'node:fs';
import { Failure } from '../../../failure.ts';
import type { Confinement } from '../../ports.ts';
import type { DirectoryHandle } from '../directory-handle.ts';
import { errnoOf } from '../os-failure.ts';
import type { Root } from '../root.ts';
import { inodeOf } from '../view/look.ts';
import type { Shown } from '../view/overlay.ts';

export interface WorkspaceMounts {
  readonly args: readonly string[];
  /**
   * Fails unless everything was mounted from where it was looked at, or from the same place of a view; `folder` is the
   * command's root from here.
   */
  verify(folder: string, view?: Pick<Shown, 'device' | 'inode'>): void;
}

type Hold = 'open' | 'frozen' | 'hidden';

interface Held {
  readonly hold: Hold;
  readonly device: bigint;
  readonly inode: bigint;
  readonly isDirectory: boolean;
}

/** More mounts make every start slow. */
const MAX_MOUNTS = 50;
/** With more submodules than this, all of their repositories are frozen as one. */
const MAX_SUBMODULES = 6;
const GIT_FROZEN = ['hooks', 'config', 'config.worktree'];
const GIT_CONFIG = '.git/config';

/** Looks at what is to be held, by handles from the pinned root. */
export function workspaceMounts(
  root: Root,
  confinement: Confinement,
  own: readonly string[],
): WorkspaceMounts {
  using directory = root.open();
  const { isReadOnly, hidden, frozen } = confinement;
  const holds = new Holds(directory, isReadOnly);
  for (const path of [...hidden, ...own]) holds.add(path, 'hidden');
  const isHeld = (path: string): boolean => path !== GIT_CONFIG || confinement.opensGitConfig !== true;
  const held = [...gitPaths(directory).filter(isHeld), ...frozen];
  if (!isReadOnly) for (const path of held) holds.add(path, 'frozen');
  const base = root.roots[0];
  const mounts = holds
    .inOrder()
    .map(([path, held]) => [path === '.' ? base : `${base}/${path}`, held] as const);
  if (mounts.length > MAX_MOUNTS) throw tooMany(mounts.length);
  return {
    args: mounts.flatMap(([path, held]) => mountArguments(path, held)),
    verify(folder, view) {
      for (const [path, held] of mounts)
        verifyMount(folder + path, view === undefined ? held : inView(held, view, path === base));
    },
  };
}

function mountArguments(path: string, { hold, isDirectory }: Held): string[] {
  if (hold === 'open') return ['--bind', path, path];
  if (hold === 'frozen') return ['--ro-bind', path, path];
  return isDirectory ? ['--tmpfs', path, '--remount-ro', path] : ['--ro-bind', '/dev/null', path];
}

/** A view has a device of its own, and the inodes of what is below it; only its root is new. */
function inView(held: Held, { device, inode }: Pick<Shown, 'device' | 'inode'>, isRoot: boolean): Held {
  return { ...held, device, ...(isRoot ? { inode } : {}) };
}

function verifyMount(path: string, { hold, device, inode }: Held): void {
  const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  const isSame = found?.dev === device && inodeOf(found) === inodeOf({ ino: inode });
  if (found !== undefined && isSame === (hold !== 'hidden')) return;
  throw new Failure(
    'E_CONFLICT',
    'The workspace changed while the sandbox was being set up; nothing was run.',
    {
      hint: 'Another program is moving folders that are held. Send the call again.',
    },
  );
}

/** What is held of the tree, with the folders on the way. */
class Holds {
  readonly #root: DirectoryHandle;
  readonly #held = new Map<string, Held>();

  constructor(root: DirectoryHandle, isReadOnly: boolean) {
    this.#root = root;
    this.#held.set('.', heldAs(isReadOnly ? 'frozen' : 'open', root.identity()));
  }

  /** Holds what is at a path; what does not exist can't be held. */
  add(path: string, hold: Exclude<Hold, 'open'>): void {
    const components = path.split('/');
    using stack = new DisposableStack();
    let directory = this.#root;
    let walked = '';
    for (const [index, name] of components.entries()) {
      walked = walked === '' ? name : `${walked}/${name}`;
      const isLast = index === components.length - 1;
      const found = lstatSync(directory.entry(name), { bigint: true, throwIfNoEntry: false });
      if (found === undefined || this.#held.get(walked)?.hold === 'hidden') return;
      if (found.isSymbolicLink()) throw behindLink(path);
      this.#hold(walked, isLast ? hold : 'open', found);
      if (isLast || !found.isDirectory()) return;
      directory = stack.use(directory.openDirectory(name));
    }
  }

  inOrder(): [path: string, held: Held][] {
    // Below what is frozen nothing can be renamed: the folders on the way need no mount of their own.
    const isNeeded = ([path, { hold }]: [string, Held]): boolean =>
      path === '.' || hold === 'hidden' || !this.#isBelowFrozen(path);
    return [...this.#held].filter(isNeeded).sort(([one], [other]) => depth(one) - depth(other));
  }

  #hold(path: string, hold: Hold, found: BigIntStats): void {
    if (hold === 'open' && this.#held.has(path)) return;
    this.#held.set(path, heldAs(hold, found));
  }

  #isBelowFrozen(path: string): boolean {
    if (this.#held.get('.')!.hold === 'frozen') return true;
    return [...this.#held].some(([above, { hold }]) => hold === 'frozen' && path.startsWith(`${above}/`));
  }
}

function heldAs(hold: Hold, found: BigIntStats): Held {
  return { hold, device: found.dev, inode: found.ino, isDirectory: found.isDirectory() };
}

function depth(path: string): number {
  return path === '.' ? 0 : path.split('/').length;
}

/** What of a repository makes git run programs: whoever may write it runs outside the sandbox at the next commit. */
function gitPaths(root: DirectoryHandle): string[] {
  const found = root.lstat('.git');
  if (found === undefined || found.isSymbolicLink()) return [];
  if (!found.isDirectory()) return ['.git'];
  using git = root.openDirectory('.git');
  // Without a config it is no repository yet, and must not become one that was made up.
  if (git.lstat('config') === undefined) return ['.git'];
  ensureHooks(git);
  return [...GIT_FROZEN.map((name) => `.git/${name}`), ...submodulePaths(git)];
}

/** Where there is no folder of hooks, a command could make one. */
function ensureHooks(git: DirectoryHandle): void {
  try {
    mkdirSync(git.entry('hooks'));
  } catch (error) {
    if (!['EEXIST', 'EACCES', 'EROFS', 'EPERM'].includes(errnoOf(error) ?? '')) throw error;
  }
}

function submodulePaths(git: DirectoryHandle): string[] {
  if (git.lstat('modules')?.isDirectory() !== true) return [];
  using modules = git.openDirectory('modules');
  const names = modules.names();
  const paths: string[] = [];
  for (const name of names) {
    if (typeof name !== 'string' || names.length > MAX_SUBMODULES) return ['.git/modules'];
    if (modules.lstat(name)?.isDirectory() !== true) continue;
    using submodule = modules.openDirectory(name);
    // A submodule in a folder of its own, or with submodules itself.
    if (submodule.lstat('config') === undefined || submodule.lstat('modules') !== undefined)
      return ['.git/modules'];
    ensureHooks(submodule);
    paths.push(...GIT_FROZEN.map((frozen) => `.git/modules/${name}/${frozen}`));
  }
  return paths;
}

function behindLink(path: string): Failure {
  return new Failure(
    'E_CONFLICT',
    `${JSON.stringify(path)} is behind a link, so a command can't be kept from it.`,
    {
      hint: 'Put the file itself there, or name the place that the link leads to in the rules.',
    },
  );
}

function tooMany(count: number): Failure {
  const message = `The rules hold ${count} places of the workspace; the sandbox can hold ${MAX_MOUNTS}.`;
  return new Failure('E_TOO_LARGE', message, {
    hint: 'Name folders instead of single files in the rules that deny or freeze paths.',
  });
}
