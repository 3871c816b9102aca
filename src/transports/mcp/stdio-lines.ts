/** Messages as lines of JSON, on stdin and stdout. What is to be sent in one turn of the event loop is written in one piece. */
import type { Readable, Writable } from 'node:stream';

export interface StdioLinesOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** A longer line ends the connection: there is no telling where it would end. */
  readonly maxLineBytes: number;
}

/** Who hears what happens on the lines. */
export interface LineListener {
  readonly message: (message: unknown) => void;
  readonly error: (error: Error) => void;
  readonly close?: () => void;
}

const NEWLINE = 0x0a;

export class StdioLines {
  /** May change with what is heard. */
  listener: LineListener;
  readonly #options: StdioLinesOptions;
  readonly #closed = Promise.withResolvers<void>();
  #isClosed = false;
  /** A line that has begun. */
  #begun: Buffer[] = [];
  #begunBytes = 0;
  #unsent: string[] = [];

  constructor(options: StdioLinesOptions, listener: LineListener) {
    this.#options = options;
    this.listener = listener;
  }

  /** Resolves when it is over, whoever ended it. */
  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  start(): void {
    const { input, output } = this.#options;
    input.on('data', this.#take);
    input.on('error', this.#report);
    input.on('end', this.#end);
    input.on('close', this.#end);
    output.on('error', this.#end);
    if (input.readableEnded || input.destroyed) setImmediate(this.#end);
  }

  send(message: object): void {
    if (this.#isClosed) return;
    if (this.#unsent.push(JSON.stringify(message)) === 1) setImmediate(this.#flush);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#flush();
    this.#isClosed = true;
    const { input } = this.#options;
    input.off('data', this.#take);
    input.off('end', this.#end);
    input.off('close', this.#end);
    input.pause();
    this.listener.close?.();
    this.#closed.resolve();
  }

  readonly #end = (): void => this.close();

  readonly #report = (error: Error): void => this.listener.error(error);

  readonly #flush = (): void => {
    if (this.#isClosed || this.#unsent.length === 0) return;
    const lines = this.#unsent;
    this.#unsent = [];
    // As bytes: a stream that is given text sets aside three times its length for them.
    this.#options.output.write(Buffer.from(`${lines.join('\n')}\n`));
  };

  readonly #take = (chunk: Buffer): void => {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.#begin(chunk.subarray(start, end));
      this.#receive();
      start = end + 1;
    }
    this.#begin(chunk.subarray(start));
    if (this.#begunBytes <= this.#options.maxLineBytes) return;
    this.listener.error(new Error(`A message of more than ${this.#options.maxLineBytes} bytes.`));
    this.#end();
  };

  #begin(part: Buffer): void {
    if (part.length > 0) this.#begun.push(part);
    this.#begunBytes += part.length;
  }

  #receive(): void {
    const line = this.#begun.length === 1 ? this.#begun[0]! : Buffer.concat(this.#begun);
    this.#begun = [];
    this.#begunBytes = 0;
    if (line.length === 0) return;
    try {
      this.listener.message(JSON.parse(line.toString()));
    } catch (error) {
      this.listener.error(error as Error);
    }
  }
}
