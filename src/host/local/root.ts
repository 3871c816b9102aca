/**
 * The workspace root on this machine, pinned by identity: it is opened anew for every access, and a folder
 * that vanished or was swapped for another one is noticed instead of used.
 */
import { constants, lstatSync, realpathSync, statfsSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { Failure } from '../../failure.ts';
import type { Roots } from '../workspace-path.ts';
import { DirectoryHandle } from './directory-handle.ts';
import { errnoOf, osFailure } from './os-failure.ts';

export interface Root extends Disposable {
  readonly roots: Roots;
  /** Opens the root, after checking that it is still the folder that was pinned. */
  open(): DirectoryHandle;
}

/** Pins a folder as a workspace root; refuses what can't be one. */
export function pinRoot(given: string, home: string): Root {
  const real = realRoot(given);
  refuseUnfit(real, home);
  // Held open as long as the pin: a folder made anew could otherwise get the same inode.
  const held = openFirst(real);
  const identity = held.identity();
  const written = resolve(given);
  return {
    roots: written === real ? [real] : [real, written],
    open() {
      const directory = openAgain(real);
      const now = directory.identity();
      if (now.ino === identity.ino && now.dev === identity.dev) return directory;
      directory[Symbol.dispose]();
      throw gone(real, 'was replaced by another folder');
    },
    [Symbol.dispose]: () => held[Symbol.dispose](),
  };
}

function realRoot(given: string): string {
  try {
    return realpathSync.native(given);
  } catch (error) {
    throw new Failure('E_NOT_FOUND', `The workspace ${JSON.stringify(given)} does not exist.`, {
      hint: 'Name an existing folder with --workspace, or start in one.',
      cause: error,
    });
  }
}

function refuseUnfit(real: string, home: string): void {
  const hint = 'Start in a project folder, or name one with --workspace.';
  if (real === '/')
    throw new Failure('E_UNSUPPORTED', 'The root of the file system can not be a workspace.', { hint });
  const systemTrees = ['/proc', '/sys', '/dev'];
  if (systemTrees.some((tree) => real === tree || real.startsWith(`${tree}/`))) {
    throw new Failure(
      'E_UNSUPPORTED',
      `${JSON.stringify(real)} belongs to the system and can not be a workspace.`,
      { hint },
    );
  }
  const realHome = realOrGiven(home);
  if (real === realHome || realHome.startsWith(`${real}/`)) {
    throw new Failure(
      'E_UNSUPPORTED',
      'The home folder, or a folder that holds it, can not be a workspace.',
      { hint },
    );
  }
}

function realOrGiven(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

function openFirst(real: string): DirectoryHandle {
  try {
    return DirectoryHandle.openAbsolute(real);
  } catch (error) {
    if (errnoOf(error) !== 'ENOTDIR') throw osFailure(error, real);
    throw new Failure('E_NOT_DIR', `The workspace ${JSON.stringify(real)} is not a folder.`);
  }
}

function openAgain(real: string): DirectoryHandle {
  try {
    return DirectoryHandle.openAbsolute(real);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'ENOENT') throw gone(real, 'is gone');
    // A link, or a file: whatever it is, it is not the folder that was pinned.
    if (errno === 'ENOTDIR' || errno === 'ELOOP') throw gone(real, 'was replaced');
    throw osFailure(error, real);
  }
}

function gone(real: string, what: string): Failure {
  return new Failure('E_IO', `The workspace ${JSON.stringify(real)} ${what}.`, {
    hint: 'Nothing was touched. Put the folder back, or start Handrail again in the right one.',
  });
}

/** A path as it is written, normalised, and as it really is: with the links in its existing part followed. */
export function spellings(path: string): readonly string[] {
  const written = resolve(path);
  let existing = written;
  let rest = '';
  while (existing !== '/' && realOrGiven(existing) === existing && !isThere(existing)) {
    rest = `/${basename(existing)}${rest}`;
    existing = dirname(existing);
  }
  return [...new Set([written, realOrGiven(existing) + rest])];
}

/** Not there is also what lies behind a file, or where nobody may look. */
function isThere(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

/** Whether handles can be walked here at all: it takes Linux with /proc. */
export function handlesWork(): boolean {
  if (process.platform !== 'linux' || constants.O_NOFOLLOW === undefined) return false;
  const PROC_MAGIC = 0x9fa0;
  try {
    return statfsSync('/proc/self/fd').type === PROC_MAGIC;
  } catch {
    return false;
  }
}
