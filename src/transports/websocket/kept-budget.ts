/**
 * What all sessions keep for who comes back, within one bound. Where it is full, who is away for longest gives way first,
 * with its oldest messages; while nobody is away that keeps something, who keeps most does.
 */

/** Who keeps messages. */
export interface Keeper {
  /** How much it keeps, in characters. */
  readonly size: number;
  dropOldest(): void;
}

export class KeptBudget {
  readonly #most: number;
  readonly #here = new Set<Keeper>();
  /** Those who keep something, in the order in which they left. */
  readonly #away = new Set<Keeper>();
  #size = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#size;
  }

  /** Somebody takes what it sends. */
  enter(keeper: Keeper): void {
    this.#away.delete(keeper);
    this.#here.add(keeper);
  }

  /** Nobody does any more. */
  leave(keeper: Keeper): void {
    this.#here.delete(keeper);
    if (keeper.size > 0) this.#away.add(keeper);
  }

  /** It keeps so much more; others may have to give way to that. */
  grow(keeper: Keeper, by: number): void {
    this.#size += by;
    if (keeper.size > 0 && !this.#here.has(keeper)) this.#away.add(keeper);
    while (this.#size > this.#most) this.#next().dropOldest();
  }

  /** It keeps so much less. */
  shrink(keeper: Keeper, by: number): void {
    this.#size -= by;
    if (keeper.size === 0) this.#away.delete(keeper);
  }

  #next(): Keeper {
    const [longestAway] = this.#away;
    return longestAway ?? [...this.#here].reduce((most, one) => (one.size > most.size ? one : most));
  }
}
