/** Writes together what comes within one turn of the event loop: a commit costs more than what it commits. */
import { setImmediate } from 'node:timers/promises';

export class GroupedWrites<Item> {
  readonly #write: (items: readonly Item[]) => Promise<void>;
  #waiting: Item[] = [];
  #written: Promise<void> | undefined;

  constructor(write: (items: readonly Item[]) => Promise<void>) {
    this.#write = write;
  }

  /** Resolves when it is written; fails with all that were to be written with it. */
  add(item: Item): Promise<void> {
    this.#waiting.push(item);
    return (this.#written ??= this.#writeNext());
  }

  async #writeNext(): Promise<void> {
    await setImmediate();
    const items = this.#waiting;
    this.#waiting = [];
    this.#written = undefined;
    await this.#write(items);
  }
}
