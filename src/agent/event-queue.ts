/** Events that somebody makes now and somebody else takes later, in order. Who stops taking them says so. */
export class EventQueue<Event> implements AsyncIterable<Event> {
  readonly #events: Event[] = [];
  readonly #onLeft: () => void;
  #isClosed = false;
  #wake: () => void = () => {};

  constructor(onLeft: () => void) {
    this.#onLeft = onLeft;
  }

  add(event: Event): void {
    this.#events.push(event);
    this.#wake();
  }

  close(): void {
    this.#isClosed = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Event> {
    try {
      for (;;) {
        const event = this.#events.shift();
        if (event !== undefined) yield event;
        else if (this.#isClosed) return;
        else await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      if (!this.#isClosed) this.#onLeft();
    }
  }
}
