/** What lasts as long as a client is connected: the runtime on its workspace, its sessions, the calls under way. */
import { fileURLToPath } from 'node:url';
import { Failure } from '../../failure.ts';
import type { Runtime } from '../../runtime-types.ts';
import type { Session } from '../../runtime/session.ts';

export interface ConnectionOptions {
  /** The workspace that was chosen at the start; else it is the client's to name. */
  readonly workspace: string | undefined;
  /** The workspace where nobody named one. */
  readonly folder: string;
  readonly open: (workspace: string) => Promise<Runtime>;
}

/** Asks the client for its roots, as URIs. */
export type RootsOf = () => Promise<readonly string[]>;

export class Connection implements AsyncDisposable {
  readonly #options: ConnectionOptions;
  readonly #sessions = new Map<string | undefined, Promise<Session>>();
  readonly #calls = new Set<Promise<unknown>>();
  readonly #end = new AbortController();
  #runtime: Promise<Runtime> | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /** Fires when the client is gone. */
  get closed(): AbortSignal {
    return this.#end.signal;
  }

  /** The runtime, opened by the first who needs it; where that fails, the next one tries again. */
  runtime(roots: RootsOf): Promise<Runtime> {
    this.#runtime ??= this.#open(roots).catch((error: unknown) => {
      this.#runtime = undefined;
      throw error;
    });
    return this.#runtime;
  }

  /** The session of that id; without one, the connection's own. */
  session(runtime: Runtime, id: string | undefined): Promise<Session> {
    const known = this.#sessions.get(id);
    if (known !== undefined) return known;
    const session = runtime.openSession({ id }).catch((error: unknown) => {
      this.#sessions.delete(id);
      throw error;
    });
    this.#sessions.set(id, session);
    return session;
  }

  /** Keeps the runtime open until the call has ended. */
  async during<Result>(call: Promise<Result>): Promise<Result> {
    this.#calls.add(call);
    try {
      return await call;
    } finally {
      this.#calls.delete(call);
    }
  }

  async #open(roots: RootsOf): Promise<Runtime> {
    const { workspace, folder, open } = this.#options;
    if (workspace !== undefined) return open(workspace);
    return open(firstFolder(await roots()) ?? folder);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort();
    await Promise.allSettled(this.#calls);
    const runtime = await this.#runtime?.catch(() => undefined);
    await runtime?.[Symbol.asyncDispose]();
  }
}

function firstFolder(uris: readonly string[]): string | undefined {
  const root = uris.find((uri) => uri.startsWith('file://'));
  if (root === undefined) return undefined;
  try {
    return fileURLToPath(root);
  } catch (error) {
    throw new Failure('E_UNSUPPORTED', `The client's root ${JSON.stringify(root)} is no folder here.`, {
      hint: 'Name the workspace with --workspace.',
      cause: error,
    });
  }
}
