/** What goes on for clients: the sessions that they use, and the calls under way, until all of it ends. */
import type { Session } from '../runtime/session.ts';

/** Told when a session is not open for clients any more. */
export type Leave = (session: Session) => Promise<void>;

interface Opened {
  readonly session: Promise<Session>;
  readonly leave: Leave;
}

export class OpenWork implements AsyncDisposable {
  readonly #maxSessions: number;
  readonly #sessions = new Map<string, Opened>();
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
    return this.#sessions.get(key)?.session;
  }

  /** The session under a key; `open` opens it where it is not. */
  use(key: string, open: () => Promise<Session>, leave: Leave): Promise<Session> {
    const opened = this.#sessions.get(key) ?? { session: open(), leave };
    // Behind all the others: the first is then the one that was not used for longest.
    this.#sessions.delete(key);
    this.#sessions.set(key, opened);
    opened.session.catch(() => this.#sessions.delete(key));
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > this.#maxSessions) void this.forget(oldest!);
    return opened.session;
  }

  async forget(key: string): Promise<void> {
    const opened = this.#sessions.get(key);
    this.#sessions.delete(key);
    // Who has no use for it any more has none for what goes wrong with that.
    await opened?.session.then(opened.leave).catch(() => undefined);
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
    await Promise.all([...this.#sessions.keys()].map((key) => this.forget(key)));
  }
}
