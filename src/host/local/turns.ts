/** Long work on the main thread in turns: other work comes between, and it ends when nobody waits for it, or after a minute. */
import { setImmediate as otherWork } from 'node:timers/promises';
import { Failure } from '../../failure.ts';

/** A search that takes longer has to be narrowed. */
export const SEARCH_MS = 60_000;
const TURN_MS = 20;

export class Turns {
  readonly #signal: AbortSignal;
  readonly #end = performance.now() + SEARCH_MS;
  #turnEnd = performance.now() + TURN_MS;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** Whether it is time to let others have theirs. */
  isOver(): boolean {
    return performance.now() > this.#turnEnd;
  }

  async pass(): Promise<void> {
    await otherWork();
    this.#signal.throwIfAborted();
    const now = performance.now();
    if (now > this.#end) throw tooSlow();
    this.#turnEnd = now + TURN_MS;
  }
}

/** The failure of a search that took too long. */
export function tooSlow(): Failure {
  return new Failure('E_TOOL_TIMEOUT', `The search was ended after ${SEARCH_MS / 1_000} s.`, {
    hint: 'Search in a smaller directory, or for something rarer.',
  });
}
