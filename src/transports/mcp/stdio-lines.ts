/** Messages as lines of JSON, on stdin and stdout. What is to be sent in one turn of the event loop is written in one piece. */
import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';

export interface StdioLinesOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** A longer line ends the connection: there is no telling where it would end. */
  readonly maxLineBytes: number;
}

const NEWLINE = 0x0a;

export class StdioLines implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #options: StdioLinesOptions;
  readonly #closed = Promise.withResolvers<void>();
  #isClosed = false;
  /** A line that has begun. */
  #begun: Buffer[] = [];
  #begunBytes = 0;
  #unsent: string[] = [];

  constructor(options: StdioLinesOptions) {
    this.#options = options;
  }

  /** Resolves when it is over, whoever ended it. */
  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  async start(): Promise<void> {
    const { input, output } = this.#options;
    input.on('data', this.#take);
    input.on('error', this.#report);
    input.on('end', this.#end);
    input.on('close', this.#end);
    output.on('error', this.#end);
    if (input.readableEnded || input.destroyed) setImmediate(this.#end);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return;
    if (this.#unsent.push(JSON.stringify(message)) === 1) setImmediate(this.#flush);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#flush();
    this.#isClosed = true;
    const { input } = this.#options;
    input.off('data', this.#take);
    input.off('end', this.#end);
    input.off('close', this.#end);
    input.pause();
    this.onclose?.();
    this.#closed.resolve();
  }

  readonly #end = (): void => void this.close();

  readonly #report = (error: Error): void => this.onerror?.(error);

  readonly #flush = (): void => {
    if (this.#isClosed || this.#unsent.length === 0) return;
    const lines = this.#unsent;
    this.#unsent = [];
    this.#options.output.write(`${lines.join('\n')}\n`);
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
    this.onerror?.(new Error(`A message of more than ${this.#options.maxLineBytes} bytes.`));
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
      this.onmessage?.(JSON.parse(line.toString()) as JSONRPCMessage);
    } catch (error) {
      this.onerror?.(error as Error);
    }
  }
}
