/** What lasts as long as a client is connected: its sessions, the calls under way, and those that wait for it to come back. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Runtime } from '../../runtime-types.ts';
import type { Session } from '../../runtime/session.ts';
import type { LogLevel } from './client-log.ts';
import { ParkedCalls } from './parked-call.ts';

/** Asks the client for its roots, as URIs. */
export type RootsOf = () => Promise<readonly string[]>;

/** Where calls are made; may ask the client for its roots first. */
export type RuntimeOf = (roots: RootsOf) => Promise<Runtime>;

/** A client may name as many sessions as it likes; those it has not used for longest are forgotten, and what was granted in them. */
const MAX_SESSIONS = 100;

export class Connection implements AsyncDisposable {
  readonly runtime: RuntimeOf;
  readonly parked = new ParkedCalls<CallToolResult>();
  /** The mildest log message that the client wants; undefined where it never said. */
  logLevel: LogLevel | undefined;
  readonly #sessions = new Map<string, Promise<Session>>();
  readonly #own = new Map<string, () => Promise<void>>();
  readonly #calls = new Set<Promise<unknown>>();
  readonly #end = new AbortController();

  constructor(runtime: RuntimeOf) {
    this.runtime = runtime;
  }

  /** Fires when the client is gone. */
  get closed(): AbortSignal {
    return this.#end.signal;
  }

  /** Whether calls are under way. */
  get isBusy(): boolean {
    return this.#calls.size > 0;
  }

  /** The session of that id; without one, the own session of the client of that name. */
  session(runtime: Runtime, id: string | undefined, client: string | undefined): Promise<Session> {
    const { root } = runtime.workspace;
    const key = JSON.stringify([root, id ?? null, id === undefined ? client : null]);
    const session = this.#sessions.get(key) ?? runtime.openSession({ id });
    // One that has an id of the client's choice may be another connection's, too.
    if (id === undefined) this.#own.set(key, async () => runtime.closeSession(await session));
    // Behind all the others: the first is then the one that was not used for longest.
    this.#sessions.delete(key);
    this.#sessions.set(key, session);
    session.catch(() => this.#sessions.delete(key));
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > MAX_SESSIONS) this.#sessions.delete(oldest!);
    return session;
  }

  /** Keeps the connection open until the call has ended. */
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
    await Promise.allSettled([...this.#own.values()].map((end) => end()));
  }
}
