/** An open regular file of this machine. */
import { closeSync, fstatSync, read, readSync, type Stats } from 'node:fs';
import { promisify } from 'node:util';
import type { FileStat, LineMarks, OpenFile } from '../ports.ts';
import type { KnownLines } from './known-lines.ts';
import { kindOf, versionOf } from './resolve.ts';

const readSome = promisify(read);

/** Reading this much at once takes less time than a trip to the thread pool. */
const SMALL_BYTES = 64 * 1024;

/** A file by its descriptor, which is closed with it. */
export class LocalOpenFile implements OpenFile {
  readonly stat: FileStat;
  readonly marks: LineMarks;
  readonly #fd: number;

  constructor(fd: number, known: KnownLines) {
    this.#fd = fd;
    this.stat = toFileStat(fstatSync(fd));
    this.marks = known.of(this.stat.version);
  }

  async read(position: number, length: number, into?: Buffer): Promise<Buffer> {
    const buffer = into ?? Buffer.allocUnsafe(length);
    if (length <= SMALL_BYTES) return buffer.subarray(0, readSync(this.#fd, buffer, 0, length, position));
    const { bytesRead } = await readSome(this.#fd, buffer, 0, length, position);
    return buffer.subarray(0, bytesRead);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    closeSync(this.#fd);
  }
}

/** What the machine says of an entry. */
export function toFileStat(stat: Stats): FileStat {
  return {
    kind: kindOf(stat),
    size: stat.size,
    mode: stat.mode & 0o7777,
    modifiedMs: stat.mtimeMs,
    version: versionOf(stat),
  };
}
