/** Chance that is the same in every run. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** A number from 0 to before `limit`. */
  below(limit: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * limit);
  }

  shuffled<Item>(items: readonly Item[]): Item[] {
    const mixed = [...items];
    for (let index = mixed.length - 1; index > 0; index--) {
      const other = this.below(index + 1);
      [mixed[index], mixed[other]] = [mixed[other]!, mixed[index]!];
    }
    return mixed;
  }
}
