/** Long synchronous work in turns, so that other calls are not kept waiting. */
import { setImmediate as otherWork } from 'node:timers/promises';

const TURN_MS = 15;

export class Pace {
  readonly #signal: AbortSignal | undefined;
  #end = performance.now() + TURN_MS;

  constructor(signal?: AbortSignal) {
    this.#signal = signal;
  }

  /** Whether others should have their turn before the work goes on. */
  get isOver(): boolean {
    return performance.now() > this.#end;
  }

  /** Lets them. */
  async pass(): Promise<void> {
    await otherWork();
    this.#signal?.throwIfAborted();
    this.#end = performance.now() + TURN_MS;
  }
}
