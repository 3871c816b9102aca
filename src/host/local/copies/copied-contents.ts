/**
 * The contents of copied files, each in a file named by its hash. What is given out was hashed again first: a copy
 * that is not what it was counts as none.
 */
import { createHash, hash, randomUUID } from 'node:crypto';
import {
  type BigIntStats,
  constants,
  fstatSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { chmod, copyFile, open } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../../../failure.ts';
import type { OpenFile } from '../../ports.ts';
import { KnownLines } from '../known-lines.ts';
import { LocalOpenFile } from '../open-file.ts';
import { errnoOf } from '../os-failure.ts';

/** The folder of contents among what is kept of a workspace. */
export const CONTENTS = 'contents';

/** Reading and writing this much at once does not keep anybody waiting. */
const SMALL_BYTES = 1024 * 1024;

export class CopiedContents {
  readonly #folder: string;
  readonly #temporary: string;
  readonly #known = new KnownLines();
  /** One more than counts as small: what is full was larger. */
  readonly #buffer = Buffer.allocUnsafeSlow(SMALL_BYTES + 1);

  constructor(folder: string) {
    this.#folder = join(folder, CONTENTS);
    this.#temporary = join(folder, 'unfinished');
  }

  /** Removes what a process that was killed had begun. */
  prepare(): void {
    rmSync(this.#temporary, { recursive: true, force: true });
    for (const folder of [this.#folder, this.#temporary]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  /** Copies an open file; says the hash of the copy. */
  async keep(fd: number): Promise<string> {
    const small = this.#readSmall(fd);
    if (small === undefined) return this.#keepLarge(fd);
    const name = hash('sha256', small);
    if (this.#has(name, small.length)) return name;
    const file = this.#unfinished();
    try {
      writeFileSync(file, small, { mode: 0o600, flag: 'wx' });
    } catch (error) {
      // A full disk needs the room at once.
      rmSync(file, { force: true });
      throw error;
    }
    return this.#take(file, name);
  }

  /** Keeps a file that nobody ever writes to by a second name for it; undefined where somebody did just now. */
  async link(place: string | Buffer): Promise<{ hash: string; found: BigIntStats } | undefined> {
    const file = this.#unfinished();
    linkSync(place, file);
    // The second name itself is a change of the file.
    const found = lstatSync(file, { bigint: true });
    const name = await this.#takeFile(file);
    const again = lstatSync(this.#file(name), { bigint: true, throwIfNoEntry: false });
    return again?.ino === found.ino && again.mtimeNs === found.mtimeNs
      ? { hash: name, found: again }
      : undefined;
  }

  /** A copy, after a look at all of it. */
  async open(name: string): Promise<OpenFile> {
    let fd: number;
    try {
      fd = openSync(this.#file(name), constants.O_RDONLY | constants.O_NOFOLLOW);
    } catch (error) {
      throw lost(error);
    }
    const file = new LocalOpenFile(fd, this.#known);
    try {
      if (file.stat.kind === 'file' && (await hashOf(file)) === name) return file;
      throw lost();
    } catch (error) {
      await file[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Removes every content but those. */
  removeBut(needed: ReadonlySet<string>): void {
    for (const part of readdirSync(this.#folder)) {
      for (const name of readdirSync(join(this.#folder, part)))
        if (!needed.has(name)) rmSync(join(this.#folder, part, name), { force: true });
    }
  }

  #readSmall(fd: number): Buffer | undefined {
    if (fstatSync(fd).size > SMALL_BYTES) return undefined;
    let length = 0;
    for (let count = -1; count !== 0 && length < this.#buffer.length; length += count)
      count = readSync(fd, this.#buffer, length, this.#buffer.length - length, length);
    return length > SMALL_BYTES ? undefined : this.#buffer.subarray(0, length);
  }

  /** Where the file system can, the copy shares its blocks with the file until one of them is written. */
  async #keepLarge(fd: number): Promise<string> {
    const file = this.#unfinished();
    // What could not be written whole is removed by Node itself.
    await copyFile(`/proc/self/fd/${fd}`, file, constants.COPYFILE_FICLONE);
    await chmod(file, 0o600);
    return this.#takeFile(file);
  }

  async #takeFile(file: string): Promise<string> {
    await using handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
    const running = createHash('sha256');
    for await (const chunk of handle.createReadStream({ autoClose: false, highWaterMark: SMALL_BYTES }))
      running.update(chunk as Buffer);
    return this.#take(file, running.digest('hex'));
  }

  /** A half-written copy never has a name that counts. */
  #take(file: string, name: string): string {
    try {
      renameSync(file, this.#file(name));
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') throw error;
      mkdirSync(join(this.#folder, name.slice(0, 2)), { mode: 0o700 });
      renameSync(file, this.#file(name));
    }
    return name;
  }

  #has(name: string, size: number): boolean {
    return lstatSync(this.#file(name), { throwIfNoEntry: false })?.size === size;
  }

  #unfinished(): string {
    return join(this.#temporary, randomUUID());
  }

  #file(name: string): string {
    return join(this.#folder, name.slice(0, 2), name);
  }
}

async function hashOf(file: OpenFile): Promise<string> {
  const running = createHash('sha256');
  const buffer = Buffer.allocUnsafe(SMALL_BYTES);
  for (let position = 0; ;) {
    const chunk = await file.read(position, buffer.length, buffer);
    if (chunk.length === 0) return running.digest('hex');
    running.update(chunk);
    position += chunk.length;
  }
}

function lost(cause?: unknown): Failure {
  return new Failure('E_IO', 'The copy of a file is gone, or not what it was any more.', {
    hint: 'Nothing can be taken back to it. Other copies are not concerned.',
    cause,
  });
}
