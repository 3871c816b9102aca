/**
 * The open runtimes of a process, one a project: opened by the first who needs it, shared by all who do, and closed again
 * when nobody has for a while, or when there are too many. Of a project that nobody uses there is nothing here.
 */
import type { Clock } from './host/ports.ts';
import type { Runtime } from './runtime-types.ts';

export interface PoolOptions {
  readonly clock: Clock;
  /** How long one stays open that nobody uses. */
  readonly idleMs: number;
  /** How many stay open; more are while more are in use. */
  readonly maxOpen: number;
}

/** What a pool can hold. */
interface Poolable extends AsyncDisposable {
  /** Something goes on in it that its end would end. */
  readonly isBusy: boolean;
}

/** Somebody's use of what is open; disposing it ends the use, and nothing else. */
export interface Held<Opened> extends Disposable {
  readonly value: Opened;
}

interface Entry<Opened> {
  readonly root: string;
  readonly opened: Promise<Opened>;
  /** Once it is open. */
  value?: Opened;
  users: number;
  /** Since when nobody uses it. */
  idleSince: number;
  closing?: Promise<void>;
}

export class RuntimePool<Opened extends Poolable> implements AsyncDisposable {
  readonly #options: PoolOptions;
  readonly #entries = new Map<string, Entry<Opened>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** What is open for a root, for as long as it is held; `open` opens it where it is not. */
  async hold(root: string, open: () => Promise<Opened>): Promise<Held<Opened>> {
    for (let known = this.#entries.get(root); known?.closing !== undefined; known = this.#entries.get(root))
      await known.closing;
    const entry = this.#entries.get(root) ?? this.#open(root, open);
    entry.users++;
    let isHeld = true;
    const leave = (): void => {
      if (!isHeld) return;
      isHeld = false;
      entry.users--;
      entry.idleSince = this.#options.clock.monotonic();
      this.#schedule();
    };
    try {
      return { value: await entry.opened, [Symbol.dispose]: leave };
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Closes everything; whoever still holds something must not use it any more. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#timer);
    await Promise.all([...this.#entries.values()].map((entry) => this.#close(entry)));
  }

  #open(root: string, open: () => Promise<Opened>): Entry<Opened> {
    const opened = this.#makeRoom().then(open);
    const entry: Entry<Opened> = { root, opened, users: 0, idleSince: 0 };
    this.#entries.set(root, entry);
    opened.then(
      (value) => (entry.value = value),
      // The next one tries again.
      () => this.#entries.delete(root),
    );
    return entry;
  }

  /** Closes those that were not used for longest, until there is room for one more. */
  async #makeRoom(): Promise<void> {
    const tooMany = this.#entries.size - this.#options.maxOpen + 1;
    if (tooMany > 0)
      await Promise.all(
        this.#idle()
          .slice(0, tooMany)
          .map((entry) => this.#close(entry)),
      );
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#entries.size === 0) return;
    this.#timer = setTimeout(() => void this.#closeIdle(), this.#options.idleMs).unref();
  }

  async #closeIdle(): Promise<void> {
    const before = this.#options.clock.monotonic() - this.#options.idleMs;
    const idle = this.#idle().filter(({ idleSince }) => idleSince <= before);
    // What goes wrong at the end of one is for nobody to hear; all that can be given back was.
    await Promise.allSettled(idle.map((entry) => this.#close(entry)));
    this.#timer = undefined;
    this.#schedule();
  }

  /** Those that nobody uses, the one that was not used for longest first. */
  #idle(): Entry<Opened>[] {
    return [...this.#entries.values()]
      .filter(({ users, value, closing }) => users === 0 && value?.isBusy === false && closing === undefined)
      .toSorted((one, other) => one.idleSince - other.idleSince);
  }

  #close(entry: Entry<Opened>): Promise<void> {
    return (entry.closing ??= this.#end(entry));
  }

  async #end({ root, opened }: Entry<Opened>): Promise<void> {
    try {
      const value = await opened.catch(() => undefined);
      await value?.[Symbol.asyncDispose]();
    } finally {
      this.#entries.delete(root);
    }
  }
}

/** A runtime that somebody else disposes of; who has it gives it back. */
export function lent(runtime: Runtime, giveBack: () => void): Runtime {
  return Object.create(runtime, { [Symbol.asyncDispose]: { value: async () => giveBack() } }) as Runtime;
}
