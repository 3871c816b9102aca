/** How much of a model's window is taken: estimated by the words, set right by what the provider counted. */
import { estimateTokenCount } from 'tokenx';
import type { Message, ModelTool } from './open-model.ts';

/** What a model is told in one question. */
export interface Told {
  readonly system: string;
  readonly tools: readonly ModelTool[];
  readonly messages: readonly Message[];
}

/** An estimate is never further off than this; who counts less may leave out what it knew already. */
const MAX_FACTOR = 3;
const MIN_FACTOR = 0.5;

export class ContextMeter {
  readonly window: number;
  #factor = 1;
  readonly #known = new WeakMap<object, number>();

  constructor(window: number) {
    this.window = window;
  }

  tokens(told: Told): number {
    return Math.round(this.#estimate(told) * this.#factor);
  }

  /** The provider counted what it was told. */
  learn(told: Told, counted: number): void {
    const estimate = this.#estimate(told);
    if (estimate === 0 || counted === 0) return;
    this.#factor = Math.min(MAX_FACTOR, Math.max(MIN_FACTOR, counted / estimate));
  }

  #estimate({ system, tools, messages }: Told): number {
    const parts = messages.flatMap<object>(({ content }) =>
      typeof content === 'string' ? [{ content }] : content,
    );
    const all = [...tools, ...parts].map((part) => this.#of(part));
    return all.reduce((sum, count) => sum + count, estimateTokenCount(system));
  }

  #of(part: object): number {
    const known = this.#known.get(part);
    if (known !== undefined) return known;
    const count = estimateTokenCount(JSON.stringify(part));
    this.#known.set(part, count);
    return count;
  }
}
