/** How many may do something at once; the others wait their turn. */

export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Takes a slot when there is one; the returned function gives it back, once. */
  async take(): Promise<() => void> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    let isTaken = true;
    return () => {
      if (isTaken) this.#giveBack();
      isTaken = false;
    };
  }

  #giveBack(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free++;
    else next();
  }
}
