/** Notices an agent that makes the same call with the same result over and over. */

const TOLD_AFTER = 3;
const ENDED_AFTER = 5;

export class Circles {
  readonly #seen = new Map<string, number>();
  #wasTold = false;

  /** What to do after these calls: go on, tell the agent, or end its turn. Who changed something may look again. */
  after(signatures: readonly string[], hasChanged: boolean): 'fine' | 'tell' | 'end' {
    if (hasChanged) this.#seen.clear();
    const counts = signatures.map((signature) => this.#count(signature));
    const most = Math.max(0, ...counts);
    if (most >= ENDED_AFTER) return 'end';
    if (most < TOLD_AFTER || this.#wasTold) return 'fine';
    this.#wasTold = true;
    return 'tell';
  }

  #count(signature: string): number {
    if (signature === '') return 0;
    const count = (this.#seen.get(signature) ?? 0) + 1;
    this.#seen.set(signature, count);
    return count;
  }
}

export const IN_CIRCLES =
  'You made the same call with the same result several times. Do something else, or say what you need to go on.';
