/**
 * The messages of a language server, within bounds: the reader that comes with the library believes whatever length a
 * server names, and takes messages as fast as they come.
 */
import type { Readable } from 'node:stream';
import { AbstractMessageReader, type DataCallback, type Disposable } from 'vscode-jsonrpc/node';

/** The largest message; the symbols of a large workspace fit. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
const MAX_HEADER_BYTES = 4_096;
/** More than this within a window is a flood. */
const MAX_WINDOW_MESSAGES = 10_000;
const MAX_WINDOW_BYTES = 64 * 1024 * 1024;
const WINDOW_MS = 5_000;
const HEADER_END = '\r\n\r\n';

/** Reads a server's output; what is out of bounds is an error, after which nothing is read any more. */
export class BoundedMessageReader extends AbstractMessageReader {
  readonly #stream: Readable;
  #parts: Buffer[] = [];
  #size = 0;
  /** Of the body that is being read. */
  #length: number | undefined;
  #window = { start: 0, messages: 0, bytes: 0 };

  constructor(stream: Readable) {
    super();
    this.#stream = stream;
  }

  listen(callback: DataCallback): Disposable {
    const take = (chunk: Buffer): void => {
      try {
        this.#count(chunk.length);
        this.#take(chunk, callback);
      } catch (error) {
        stop();
        this.fireError(error);
      }
    };
    const end = (): void => this.fireClose();
    const stop = (): void => {
      this.#stream.off('data', take).off('close', end);
      // Whoever writes on must not be held up by it: it is about to be ended.
      this.#stream.resume();
      this.#parts = [];
    };
    this.#stream.on('data', take).on('close', end);
    return { dispose: stop };
  }

  #take(chunk: Buffer, callback: DataCallback): void {
    this.#parts.push(chunk);
    this.#size += chunk.length;
    for (;;) {
      this.#length ??= this.#readHeader();
      if (this.#length === undefined || this.#size < this.#length) return;
      const bytes = this.#cut(this.#length);
      this.#length = undefined;
      this.#window.messages++;
      callback(JSON.parse(bytes.toString('utf8')));
    }
  }

  /** How long the next body is; undefined where its header has not come yet. */
  #readHeader(): number | undefined {
    const start = this.#joined();
    const end = start.subarray(0, MAX_HEADER_BYTES).indexOf(HEADER_END);
    if (end < 0) {
      if (this.#size > MAX_HEADER_BYTES) throw new Error('it wrote something that is no message');
      return undefined;
    }
    const [, digits] =
      /(?:^|\r\n)content-length: *(\d{1,12})(?:\r\n|$)/i.exec(start.toString('ascii', 0, end)) ?? [];
    if (digits === undefined) throw new Error('it wrote something that is no message');
    if (Number(digits) > MAX_MESSAGE_BYTES) throw new Error(`it sent a message of ${digits} bytes`);
    this.#cut(end + HEADER_END.length);
    return Number(digits);
  }

  #cut(length: number): Buffer {
    const all = this.#joined();
    this.#parts = [all.subarray(length)];
    this.#size = all.length - length;
    return all.subarray(0, length);
  }

  #joined(): Buffer {
    if (this.#parts.length !== 1) this.#parts = [Buffer.concat(this.#parts)];
    return this.#parts[0]!;
  }

  #count(bytes: number): void {
    const now = performance.now();
    if (now - this.#window.start > WINDOW_MS) this.#window = { start: now, messages: 0, bytes: 0 };
    this.#window.bytes += bytes;
    if (this.#window.bytes > MAX_WINDOW_BYTES || this.#window.messages > MAX_WINDOW_MESSAGES)
      throw new Error('it sent more than anyone could read');
  }
}
