/** What lasts as long as a client is connected: its sessions, the calls under way, and those that wait for it to come back. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Runtime } from '../../runtime-types.ts';
import type { Session } from '../../runtime/session.ts';
import { type Leave, OpenWork } from '../open-work.ts';
import type { LogLevel } from './client-log.ts';
import { ParkedCalls } from './parked-call.ts';

/** Asks the client for its roots, as URIs. */
export type RootsOf = () => Promise<readonly string[]>;

/** Where calls are made; may ask the client for its roots first. */
export type RuntimeOf = (roots: RootsOf) => Promise<Runtime>;

const MAX_SESSIONS = 100;

export class Connection extends OpenWork {
  readonly runtime: RuntimeOf;
  readonly parked = new ParkedCalls<CallToolResult>();
  /** The mildest log message that the client wants; undefined where it never said. */
  logLevel: LogLevel | undefined;

  constructor(runtime: RuntimeOf) {
    super(MAX_SESSIONS);
    this.runtime = runtime;
  }

  /** The session of that id; without one, the own session of the client of that name. */
  session(runtime: Runtime, id: string | undefined, client: string | undefined): Promise<Session> {
    const { root } = runtime.workspace;
    const key = JSON.stringify([root, id ?? null, id === undefined ? client : null]);
    // One that has an id of the client's choice may be another connection's, too.
    const leave: Leave = id === undefined ? (own) => runtime.closeSession(own) : async () => undefined;
    return this.use(key, () => runtime.openSession({ id }), leave);
  }
}
