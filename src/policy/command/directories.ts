/** Which directory a command runs in, and what a path means there. Nothing is looked at: all of it is lexical. */
import type { CommandPlace } from './command-analysis.ts';

/** The absolute directories it may be; empty where nothing gets there, undefined where it can't be told. */
export type Directories = readonly string[] | undefined;

/** The directories after a command, by how it ended. */
export interface Flow {
  readonly succeeded: Directories;
  readonly failed: Directories;
}

const MAX_DIRECTORIES = 8;

/** The flow past a command that leaves the directory as it is. */
export function staying(directories: Directories): Flow {
  return { succeeded: directories, failed: directories };
}

/** All that either may be. */
export function either(one: Directories, other: Directories): Directories {
  if (one === undefined || other === undefined) return undefined;
  const all = [...new Set([...one, ...other])];
  return all.length > MAX_DIRECTORIES ? undefined : all;
}

/** The directories after a command, however it ended. */
export function afterwards({ succeeded, failed }: Flow): Directories {
  return either(succeeded, failed);
}

/** The absolute directory a command line starts in. */
export function startOf({ root, directory }: CommandPlace): string {
  return directory === '.' ? root : `${root}/${directory}`;
}

/** Where `cd path` leads: the shell takes `..` off the name it came by, so this is exact. */
export function enter(directories: Directories, path: string): Directories {
  if (path.startsWith('/')) return [climb('/', path).path];
  return directories?.map((directory) => climb(directory, path).path);
}

export interface Climbed {
  readonly path: string;
  /** Every name that a `..` took off again; where one is a link, the path leads elsewhere. */
  readonly left: readonly string[];
}

/** Follows a path from a directory, by names alone. */
export function climb(directory: string, path: string): Climbed {
  const names = path.startsWith('/') ? [] : directory.split('/').filter((name) => name !== '');
  const left: string[] = [];
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue;
    if (name !== '..') names.push(name);
    else if (names.length > 0) {
      left.push(`/${names.join('/')}`);
      names.pop();
    }
  }
  return { path: `/${names.join('/')}`, left };
}

/** Whether `..` out of these directories is sure: they lie on the way to the start, which has no links. */
export function isSure({ left }: Climbed, start: string): boolean {
  return left.every((directory) => start === directory || start.startsWith(`${directory}/`));
}

/** The workspace path of the one directory it is; undefined where it may be several, or is outside. */
export function workspaceDirectory(directories: Directories, root: string): string | undefined {
  const [directory, ...others] = directories ?? [];
  if (directory === undefined || others.length > 0 || !isInside([directory], root)) return undefined;
  return directory === root ? '.' : directory.slice(root.length + 1);
}

/** Whether it is in the workspace, wherever that is. */
export function isInside(directories: Directories, root: string): boolean {
  return directories?.every((directory) => directory === root || directory.startsWith(`${root}/`)) ?? false;
}
