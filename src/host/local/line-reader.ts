/** Reads lines that a search found once more, through contained handles: only what is there by that way is shown. */
import { closeSync, readSync } from 'node:fs';
import { openRegular } from './files.ts';
import type { Root } from './root.ts';

/** A file with a NUL byte among its first bytes is not text. */
const PROBED_BYTES = 2048;
/** The search program takes a mark of byte order at the start of a text for no part of it, and counts from behind it. */
const BYTE_ORDER_MARK = Buffer.from('\ufeff');
const NEWLINE = 10;
const RETURN = 13;

/** A line by its place in the file, with the bytes that should be there. */
export interface ClaimedLine {
  readonly offset: number;
  /** The line, or the start of a long one. */
  readonly bytes: Buffer;
}

/** Keeps the last file open: a search reports all lines of a file in a row. */
export class LineReader implements Disposable {
  readonly #root: Root;
  readonly #maxCharacters: number;
  readonly #maxBytes: number;
  readonly #buffer: Buffer;
  #path: string | undefined;
  #fd: number | undefined;
  /** Where the text of the file starts. */
  #start = 0;

  /** Of a line with more than `maxBytes` only the start is claimed, with a remark behind it. */
  constructor(root: Root, maxCharacters: number, maxBytes: number) {
    this.#root = root;
    this.#maxCharacters = maxCharacters;
    this.#maxBytes = maxBytes;
    this.#buffer = Buffer.allocUnsafe(Math.max(PROBED_BYTES, maxBytes + 2));
  }

  /** The text of the line, cut where it is long; undefined where the file does not say what is claimed. */
  confirm(path: string, { offset, bytes }: ClaimedLine): string | undefined {
    const fd = this.#open(path);
    if (fd === undefined) return undefined;
    const place = this.#start + offset;
    if (offset > 0 && (readSync(fd, this.#buffer, 0, 1, place - 1) !== 1 || this.#buffer[0] !== NEWLINE))
      return undefined;
    const read = this.#buffer.subarray(0, readSync(fd, this.#buffer, 0, this.#maxBytes + 2, place));
    const end = read.indexOf(NEWLINE);
    const line = withoutReturn(end === -1 ? read : read.subarray(0, end));
    const isSame = line.equals(withoutReturn(bytes));
    // Near the limit a line counts as long or not by the ending it has.
    const isLong = line.length >= this.#maxBytes - 2;
    const half = line.length >> 1;
    if (!isSame && !(isLong && line.subarray(0, half).equals(bytes.subarray(0, half)))) return undefined;
    const text = line.toString();
    if (text.length <= this.#maxCharacters) return text;
    return `${text.slice(0, this.#maxCharacters).replace(/[\ud800-\udbff]$/, '')} [line cut here]`;
  }

  #open(path: string): number | undefined {
    if (path === this.#path) return this.#fd;
    this[Symbol.dispose]();
    this.#path = path;
    try {
      const fd = openRegular(this.#root, path);
      this.#fd = fd;
      const start = this.#buffer.subarray(0, readSync(fd, this.#buffer, 0, PROBED_BYTES, 0));
      this.#start = start.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
        ? BYTE_ORDER_MARK.length
        : 0;
      if (start.includes(0)) this[Symbol.dispose]();
    } catch {
      // Gone, or no longer a plain file inside the workspace.
    }
    return this.#fd;
  }

  [Symbol.dispose](): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }
}

function withoutReturn(line: Buffer): Buffer {
  return line.at(-1) === RETURN ? line.subarray(0, -1) : line;
}
