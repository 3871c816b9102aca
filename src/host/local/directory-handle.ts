/**
 * A directory held by a handle instead of a name: whatever happens to the names above it, `entry()` stays
 * inside the directory that was opened. This is what makes containment hold under concurrent renames.
 */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
} from 'node:fs';
import type { BigIntStats, Stats } from 'node:fs';
import { isUtf8 } from 'node:buffer';
import { errnoOf } from './os-failure.ts';

// Node does not name O_PATH; the number is the same on every Linux architecture Node runs on.
export const O_PATH = 0o10000000;
const OPEN_DIRECTORY = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** A name in a directory; bytes where it is not UTF-8. */
export type EntryName = string | Buffer;

export class DirectoryHandle implements Disposable {
  readonly #fd: number;
  // By number, since `self` is a link that would be followed for every entry.
  readonly #folder: string;

  private constructor(fd: number) {
    this.#fd = fd;
    this.#folder = `/proc/${process.pid}/fd/${fd}/`;
  }

  /** Opens a directory by its absolute path; the path itself must not be a link. */
  static openAbsolute(path: string): DirectoryHandle {
    return new DirectoryHandle(openSync(path, OPEN_DIRECTORY));
  }

  /** A path the kernel reads relative to this handle. `name` is one component, never `..`. */
  entry(name: EntryName): string | Buffer {
    return typeof name === 'string' ? this.#folder + name : Buffer.concat([Buffer.from(this.#folder), name]);
  }

  /** Opens a directory in this one; fails on links. */
  openDirectory(name: EntryName): DirectoryHandle {
    return new DirectoryHandle(openSync(this.entry(name), OPEN_DIRECTORY));
  }

  /** Opens a directory in this one, making it where it is missing; says whether it was made. */
  ensureDirectory(name: string): { directory: DirectoryHandle; made: boolean } {
    try {
      return { directory: this.openDirectory(name), made: false };
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') throw error;
    }
    const made = this.#makeDirectory(name);
    return { directory: this.openDirectory(name), made };
  }

  /** What stands under a name, links not followed; undefined where nothing does. */
  lstat(name: EntryName): Stats | undefined {
    return lstatSync(this.entry(name), { throwIfNoEntry: false });
  }

  readlink(name: string): string {
    return readlinkSync(this.entry(name));
  }

  /** The names in this directory; those that are not UTF-8 as bytes. */
  names(): EntryName[] {
    const names = readdirSync(this.#folder);
    // What stands for broken UTF-8 may also stand for itself: then the bytes are looked at.
    if (!names.some((name) => name.includes('\ufffd'))) return names;
    return readdirSync(this.#folder, { encoding: 'buffer' }).map((name) =>
      isUtf8(name) ? name.toString() : name,
    );
  }

  /** A second handle on the same directory, closed on its own. */
  clone(): DirectoryHandle {
    return new DirectoryHandle(openSync(`/proc/self/fd/${this.#fd}`, O_PATH | constants.O_DIRECTORY));
  }

  identity(): BigIntStats {
    return fstatSync(this.#fd, { bigint: true });
  }

  [Symbol.dispose](): void {
    closeSync(this.#fd);
  }

  #makeDirectory(name: string): boolean {
    try {
      mkdirSync(this.entry(name));
      return true;
    } catch (error) {
      // Another process was quicker: the directory is there, which is all that was wanted.
      if (errnoOf(error) === 'EEXIST') return false;
      throw error;
    }
  }
}
