/** Questions to the person at the terminal, one at a time, in the order they came. */
import type { Key } from './keys.ts';
import type { LivePart } from './screen.ts';
import type { Line } from './spans.ts';

/** A question, and what becomes of it key by key. */
export interface Dialog<Answer> {
  /** What has to be on the screen before the next key counts; each line is given once. */
  readonly print: (width: number) => Line[];
  /** What can be answered, or is being written. */
  readonly live: (width: number) => LivePart;
  /** The answer, once there is one. */
  readonly press: (key: Key) => Answer | undefined;
}

interface Waiting {
  readonly dialog: Dialog<unknown>;
  readonly settle: (answer: unknown) => void;
  isShown: boolean;
}

export class Dialogs {
  readonly #waiting: Waiting[] = [];
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** Waits for an answer; undefined where it is no longer wanted. */
  ask<Answer>(dialog: Dialog<Answer>, signal: AbortSignal): Promise<Answer | undefined> {
    if (signal.aborted) return Promise.resolve(undefined);
    const { promise, resolve } = Promise.withResolvers<Answer | undefined>();
    const entry: Waiting = { dialog, settle: (answer) => resolve(answer as Answer), isShown: false };
    const drop = (): void => {
      this.#remove(entry);
      resolve(undefined);
    };
    signal.addEventListener('abort', drop, { once: true });
    this.#waiting.push(entry);
    this.#onChange();
    return promise.finally(() => signal.removeEventListener('abort', drop));
  }

  get count(): number {
    return this.#waiting.length;
  }

  /** Brings the first question up; keys count for it from then on. */
  show(): void {
    const [first] = this.#waiting;
    if (first !== undefined) first.isShown = true;
  }

  /** The question on the screen. */
  get current(): Dialog<unknown> | undefined {
    const [first] = this.#waiting;
    return first?.isShown === true ? first.dialog : undefined;
  }

  press(key: Key): void {
    const [first] = this.#waiting;
    if (first?.isShown !== true) return;
    const answer = first.dialog.press(key);
    if (answer !== undefined) {
      this.#remove(first);
      first.settle(answer);
    }
    this.#onChange();
  }

  #remove(entry: Waiting): void {
    const at = this.#waiting.indexOf(entry);
    if (at !== -1) this.#waiting.splice(at, 1);
    this.#onChange();
  }
}
