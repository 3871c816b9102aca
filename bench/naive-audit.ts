/** The audit one would write first: a line is appended and synced to the disk before anything goes on. */
import { appendFileSync, closeSync, fdatasyncSync, openSync } from 'node:fs';

export class NaiveAudit implements Disposable {
  readonly #fd: number;

  constructor(path: string) {
    this.#fd = openSync(path, 'a', 0o600);
  }

  write(record: object): void {
    appendFileSync(this.#fd, `${JSON.stringify(record)}\n`);
    fdatasyncSync(this.#fd);
  }

  [Symbol.dispose](): void {
    closeSync(this.#fd);
  }
}
