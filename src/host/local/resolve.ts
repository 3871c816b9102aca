/**
 * Follows links inside the workspace, one component at a time from handle to handle, and says where a path
 * really leads. A link that leaves the root, by `..` or by an absolute target, ends the walk with a failure.
 */
import type { Stats } from 'node:fs';
import { Failure } from '../../failure.ts';
import type { EntryKind, FileVersion, ResolvedPath } from '../ports.ts';
import { outside, relativeToRoot } from '../workspace-path.ts';
import type { DirectoryHandle } from './directory-handle.ts';
import type { Root } from './root.ts';

const MAX_LINKS = 40;

/** Resolves a workspace path; with `followLast` off, a link at the end stands for itself. */
export function resolveInside(root: Root, path: string, followLast: boolean): ResolvedPath {
  using trail = new Trail(root);
  const pending = components(path).reverse();
  let links = 0;
  let kind: ResolvedPath['kind'] = 'directory';
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (name === '..') {
      trail.leave(path);
      kind = 'directory';
      continue;
    }
    const found = trail.here.lstat(name);
    if (found === undefined) return { path: beyond(trail, name, pending, path), kind: 'missing' };
    kind = kindOf(found);
    if (kind === 'link' && (followLast || pending.length > 0)) {
      if (++links > MAX_LINKS) throw tooManyLinks(path);
      pending.push(...follow(trail, root, trail.here.readlink(name), path).reverse());
      kind = 'directory';
    } else if (kind === 'directory') {
      trail.enter(name);
    } else {
      if (pending.length > 0)
        throw new Failure('E_NOT_DIR', `A part of ${JSON.stringify(path)} is not a directory.`);
      return { path: trail.join(name), kind };
    }
  }
  return { path: trail.join(), kind };
}

/** What kind of entry a stat describes. */
export function kindOf(stat: Stats): EntryKind {
  if (stat.isFile()) return 'file';
  if (stat.isDirectory()) return 'directory';
  return stat.isSymbolicLink() ? 'link' : 'other';
}

/** Every way of writing changes one of these: the inode by renaming over it, the time of change by anything else. */
export function versionOf({ ino, size, ctimeMs }: Stats): FileVersion {
  return `${ino}:${size}:${ctimeMs}`;
}

/** The directories entered on the way, so that a `..` in a link goes back to the one it came from. */
class Trail implements Disposable {
  readonly #root: Root;
  #handles: DirectoryHandle[];
  #names: string[] = [];

  constructor(root: Root) {
    this.#root = root;
    this.#handles = [root.open()];
  }

  get here(): DirectoryHandle {
    return this.#handles.at(-1)!;
  }

  enter(name: string): void {
    this.#handles.push(this.here.openDirectory(name));
    this.#names.push(name);
  }

  leave(path: string): void {
    if (this.#names.pop() === undefined) throw outside(path, `${this.#root.roots[0]}/..`);
    this.#handles.pop()?.[Symbol.dispose]();
  }

  restart(): void {
    this[Symbol.dispose]();
    this.#handles = [this.#root.open()];
    this.#names = [];
  }

  join(...more: string[]): string {
    return [...this.#names, ...more].join('/') || '.';
  }

  [Symbol.dispose](): void {
    for (const handle of this.#handles.splice(0)) handle[Symbol.dispose]();
  }
}

function components(path: string): string[] {
  return path.split('/').filter((name) => name !== '' && name !== '.');
}

function follow(trail: Trail, root: Root, target: string, path: string): string[] {
  if (!target.startsWith('/')) return components(target);
  const inside = relativeToRoot(target, root.roots);
  if (inside === undefined) throw outside(path, target);
  trail.restart();
  return components(inside);
}

/** The rest of a path behind a name that does not exist. */
function beyond(trail: Trail, name: string, pending: string[], path: string): string {
  if (pending.includes('..'))
    throw new Failure('E_NOT_FOUND', `A link on the way to ${JSON.stringify(path)} leads nowhere.`);
  return trail.join(name, ...pending.reverse());
}

function tooManyLinks(path: string): Failure {
  return new Failure(
    'E_INVALID_PATH',
    `There are too many links, or a loop of them, on the way to ${JSON.stringify(path)}.`,
  );
}
