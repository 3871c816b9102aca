/** What goes on for clients: the sessions that they use, and the calls under way, until all of it ends. */
import type { Session } from '../runtime/session.ts';

export class OpenWork implements AsyncDisposable {
  readonly #maxSessions: number;
  readonly #sessions = new Map<string, Promise<Session>>();
  readonly #calls = new Set<Promise<unknown>>();
  readonly #end = new AbortController();

  /** Clients may name as many sessions as they like; those not used for longest are forgotten, and what was granted in them. */
  constructor(maxSessions: number) {
    this.#maxSessions = maxSessions;
  }

  /** Fires at the end. */
  get closed(): AbortSignal {
    return this.#end.signal;
  }

  /** Whether calls are under way. */
  get isBusy(): boolean {
    return this.#calls.size > 0;
  }

  get openSessions(): number {
    return this.#sessions.size;
  }

  /** What is open under a key. */
  openUnder(key: string): Promise<Session> | undefined {
    return this.#sessions.get(key);
  }

  /** The session under a key; `open` opens it where it is not. */
  use(key: string, open: () => Promise<Session>): Promise<Session> {
    const session = this.#sessions.get(key) ?? open();
    // Behind all the others: the first is then the one that was not used for longest.
    this.#sessions.delete(key);
    this.#sessions.set(key, session);
    session.catch(() => this.#sessions.delete(key));
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > this.#maxSessions) this.#sessions.delete(oldest!);
    return session;
  }

  forget(key: string): void {
    this.#sessions.delete(key);
  }

  /** The end waits until the call has ended. */
  async during<Result>(call: Promise<Result>): Promise<Result> {
    this.#calls.add(call);
    try {
      return await call;
    } finally {
      this.#calls.delete(call);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort();
    await Promise.allSettled(this.#calls);
  }
}
