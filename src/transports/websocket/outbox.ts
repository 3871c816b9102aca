/**
 * What was sent to the clients of a session, numbered, and kept until one of them says that it has it: a client that
 * comes back is sent what it lacks. Numbers begin with the time, so that those of an earlier life are below all of this one.
 */
import type { KeptBudget, Keeper } from './kept-budget.ts';

export interface OutboxLimits {
  readonly keptMessages: number;
  readonly keptBytes: number;
}

interface Kept {
  readonly seq: number;
  readonly text: string;
  readonly isPersonal: boolean;
}

/** More than are sent in a millisecond. */
const NUMBERS_A_MILLISECOND = 1_000;

export class Outbox implements Keeper {
  readonly #limits: OutboxLimits;
  readonly #budget: KeptBudget;
  readonly #start: number;
  readonly #kept: Kept[] = [];
  #size = 0;
  #last: number;
  /** The last one that is not kept any more, and was meant to be. */
  #dropped: number;

  constructor(now: number, limits: OutboxLimits, budget: KeptBudget) {
    this.#limits = limits;
    this.#budget = budget;
    this.#start = now * NUMBERS_A_MILLISECOND;
    this.#last = this.#start;
    this.#dropped = this.#start;
  }

  get size(): number {
    return this.#size;
  }

  /** Numbers a message, and keeps it; a personal one for persons alone. */
  add(message: object, { isPersonal = false }: { readonly isPersonal?: boolean } = {}): string {
    const text = this.number(message);
    this.#kept.push({ seq: this.#last, text, isPersonal });
    this.#size += text.length;
    while (this.#kept.length > this.#limits.keptMessages || this.#size > this.#limits.keptBytes)
      this.dropOldest();
    this.#budget.grow(this, text.length);
    return text;
  }

  /** Numbers a message that is told anew to whoever comes. */
  number(message: object): string {
    this.#last++;
    return JSON.stringify({ ...message, seq: this.#last });
  }

  /** Forgets what a client says it has. */
  acknowledge(seq: number): void {
    while (this.#kept.length > 0 && this.#kept[0]!.seq <= seq) this.dropOldest();
  }

  /** Forgets everything. */
  clear(): void {
    this.acknowledge(this.#last);
  }

  /** What a client lacks that has seen everything up to a number; 0 where it has seen nothing. */
  after(
    seq: number,
    { isPerson }: { readonly isPerson: boolean },
  ): { readonly texts: readonly string[]; readonly isWhole: boolean } {
    const seen = seq === 0 ? this.#start : seq;
    return {
      texts: this.#kept
        .filter((kept) => kept.seq > seen && (isPerson || !kept.isPersonal))
        .map(({ text }) => text),
      isWhole: seen >= this.#dropped && seen <= this.#last,
    };
  }

  dropOldest(): void {
    const { seq, text } = this.#kept.shift()!;
    this.#dropped = seq;
    this.#size -= text.length;
    this.#budget.shrink(this, text.length);
  }
}
