/** Something that was loaded, shared by all who look at it: it is loaded again when it may have changed. */

export interface Loaded<Value> {
  /** Undefined until it came; stays while it is loaded again. */
  readonly value: Value | undefined;
  /** Why it could not be loaded. */
  readonly failure: Error | undefined;
}

/** As often as anybody can follow; the rate limit of the server is far above it. */
const REST_MS = 200;

export class Resource<Value> {
  /** How to load it; always the newest way. */
  load: (signal: AbortSignal) => Promise<Value>;
  readonly #restMs: number;
  readonly #listeners = new Set<() => void>();
  #snapshot: Loaded<Value> = { value: undefined, failure: undefined };
  #running: AbortController | undefined;
  #isStale = true;

  constructor(load: (signal: AbortSignal) => Promise<Value>, restMs = REST_MS) {
    this.load = load;
    this.#restMs = restMs;
  }

  readonly snapshot = (): Loaded<Value> => this.#snapshot;

  /** Loads it, where it was not, for as long as somebody looks. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    if (this.#isStale) void this.#run();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#running?.abort();
      // What happens meanwhile is not followed.
      this.#isStale = true;
    };
  };

  /** Loads it again; at once, or when the load that is under way has ended. */
  readonly reload = (): void => {
    this.#isStale = true;
    if (this.#listeners.size > 0) void this.#run();
  };

  async #run(): Promise<void> {
    if (this.#running !== undefined && !this.#running.signal.aborted) return;
    const running = new AbortController();
    const { signal } = running;
    this.#running = running;
    while (this.#isStale && !signal.aborted) {
      this.#isStale = false;
      try {
        this.#show({ value: await this.load(signal), failure: undefined }, signal);
      } catch (error) {
        const failure = error instanceof Error ? error : new Error(String(error));
        this.#show({ ...this.#snapshot, failure }, signal);
      }
      await new Promise((resolve) => setTimeout(resolve, this.#restMs));
    }
    if (this.#running === running) this.#running = undefined;
  }

  #show(snapshot: Loaded<Value>, signal: AbortSignal): void {
    if (signal.aborted) return;
    this.#snapshot = snapshot;
    for (const listener of this.#listeners) listener();
  }
}
