/** Messages as lines of JSON over a stream. A line that is none, or too long, ends the connection. */
import type { Duplex } from 'node:stream';

const MAX_LINE_BYTES = 8 * 1024 * 1024;
const NEWLINE = 10;

export interface MessageLines {
  send(message: unknown): void;
  readonly isOpen: boolean;
}

/** Listens to a stream, and speaks over it. */
export function messageLines(stream: Duplex, receive: (message: unknown) => void): MessageLines {
  let parts: Buffer[] = [];
  let length = 0;
  const take = (): void => {
    const line = Buffer.concat(parts).toString();
    [parts, length] = [[], 0];
    receive(JSON.parse(line));
  };
  stream.on('error', () => stream.destroy());
  stream.on('data', (chunk: Buffer) => {
    try {
      let from = 0;
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
        parts.push(chunk.subarray(from, at));
        take();
        from = at + 1;
      }
      parts.push(chunk.subarray(from));
      length += chunk.length - from;
      if (length > MAX_LINE_BYTES) stream.destroy();
    } catch {
      stream.destroy();
    }
  });
  return {
    get isOpen() {
      return !stream.destroyed;
    },
    send(message) {
      if (!stream.destroyed) stream.write(`${JSON.stringify(message)}\n`);
    },
  };
}
