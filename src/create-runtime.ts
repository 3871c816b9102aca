/** The one place where the parts are put together: host, store, journal, policy, dialects, and the spine over them. */
import { dialects as builtinDialects, findDialect } from './dialects/index.ts';
import { Failure } from './failure.ts';
import type { Files, Host } from './host/ports.ts';
import { localHost } from './host/local/host.ts';
import { localProcessTable } from './host/local/process-table.ts';
import { localStateDirectory } from './host/local/state-directory.ts';
import { AuditLog, type AuditParts } from './journal/audit-log.ts';
import { type AuditReader, auditReader } from './journal/audit-reader.ts';
import { recover, type Recovery } from './journal/recover.ts';
import { redactText } from './journal/redact.ts';
import { type Approver } from './policy/approvals.ts';
import type { Mode } from './policy/decide.ts';
import { type Locations, protectPlaces } from './policy/places.ts';
import { Policies } from './policy/policies.ts';
import type { Rule } from './policy/rule.ts';
import {
  type CallRequest,
  type CallResponse,
  rehearseCall,
  type Rehearsal,
  runCall,
  type Spine,
} from './runtime/call.ts';
import { type Definition, definitions } from './runtime/catalogue.ts';
import { openEnvelope } from './runtime/open-envelope.ts';
import { type EventListener, Events } from './runtime/events.ts';
import type { Agent, Session } from './runtime/session.ts';
import type { Dialect } from './runtime/tool.ts';
import type { Workspace } from './runtime/workspace.ts';
import { keptOutputs } from './store/outputs.ts';
import { RecordedCalls } from './store/recorded-calls.ts';
import { openStore, type Store } from './store/store.ts';

export interface RuntimeOptions {
  /** The folder tools work in; never the home folder or `/`. */
  readonly workspace: string;
  /** Where state and config live; `userLocations(process.env, homedir())` for a user's own. */
  readonly locations: Locations;
  /** What new sessions speak; `handrail` by default. */
  readonly dialect?: string;
  /** How much is asked; `ask` by default. */
  readonly mode?: Mode;
  /** Rules of the user, over the defaults. */
  readonly rules?: readonly Rule[];
  /** Answers questions; without it, what would be asked is denied. */
  readonly approve?: Approver;
  /** More dialects besides the built-in ones. */
  readonly dialects?: readonly Dialect[];
}

export interface SessionOptions {
  readonly id?: string;
  readonly dialect?: string;
  readonly agent?: Agent;
  readonly mode?: Mode;
}

export interface CallOptions {
  /** Whose call it is; a session of the runtime's own by default. */
  readonly session?: Session;
  /** The caller may send the same call again after a lost connection: the same id then gets the same answer. */
  readonly resume?: boolean;
  readonly signal?: AbortSignal;
  readonly turn?: string;
}

export interface Runtime extends AsyncDisposable {
  readonly workspace: Workspace;
  readonly dialects: readonly Dialect[];
  /** How file access is contained on this machine. */
  readonly containment: string;
  /** What the start found to put right after a crash. */
  readonly recovery: Recovery;
  openSession(options?: SessionOptions): Promise<Session>;
  /** Runs a tool. Never throws: look at the response's outcome. */
  call(tool: string, args: unknown, options?: CallOptions): Promise<CallResponse>;
  /** Runs a whole `ToolCallRequest`, with its ids. */
  execute(request: unknown, options?: CallOptions): Promise<CallResponse>;
  /** The tools an agent has, with schemas, permissions and risk. */
  definitions(agent?: Agent, dialect?: string): Definition[];
  /** What would be decided about a call, and what a human would be asked, without running it. */
  approvalRequest(tool: string, args: unknown, options?: CallOptions): Promise<Rehearsal>;
  /** Listens to everything that happens until the returned function is called. */
  subscribe(listener: EventListener): () => void;
  /** Waits until the audit is on the disk. */
  flush(): Promise<void>;
}

const STORE_FILE = 'handrail.sqlite';

/** Puts a runtime together for one workspace. Dispose it: that writes the last of the audit. */
export async function createRuntime(options: RuntimeOptions): Promise<Runtime> {
  const { host, roots } = localHost(options.workspace, options.locations.home);
  const known = [...builtinDialects, ...(options.dialects ?? [])];
  const policies = new Policies(options.rules ?? [], protectPlaces(roots, options.locations));
  findDialect(options.dialect ?? 'handrail', known);
  const state = localStateDirectory(options.locations.state);
  const store = openStore(state.privateFile(STORE_FILE));
  try {
    const { clock, ids } = host;
    const parts: AuditParts = { state, database: store.database, processes: localProcessTable(), clock, ids };
    const recovery = await recover(parts, (root) => otherWorkspace(root, options.locations.home));
    const audit = await AuditLog.open(parts);
    return assemble(options, {
      host,
      workspace: { root: roots[0], roots },
      known,
      policies,
      store,
      audit,
      recovery,
    });
  } catch (error) {
    await store[Symbol.asyncDispose]();
    throw error;
  }
}

/** The audit of a user's state folder, for reading. */
export function openAudit(locations: Locations): { readonly reader: AuditReader } & AsyncDisposable {
  const state = localStateDirectory(locations.state);
  const store = openStore(state.privateFile(STORE_FILE));
  return {
    reader: auditReader({ state, database: store.database, processes: localProcessTable() }),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

/** The tools of a dialect as the catalogue shows them; needs no workspace. */
export function describeTools(dialect: string, mode: Mode = 'ask'): Definition[] {
  const found = findDialect(dialect);
  const policy = new Policies([], () => undefined).for(found.name, mode, []);
  return definitions(found, { name: 'default' }, policy);
}

interface Parts {
  readonly host: Host;
  readonly workspace: Workspace;
  readonly known: readonly Dialect[];
  readonly policies: Policies;
  readonly store: Store;
  readonly audit: AuditLog;
  readonly recovery: Recovery;
}

function assemble(
  options: RuntimeOptions,
  { host, workspace, known, policies, store, audit, recovery }: Parts,
): Runtime {
  const events = new Events();
  const { database } = store;
  const spine: Spine = {
    host,
    workspace,
    audit,
    events,
    approver: options.approve,
    outputs: keptOutputs(database, host.clock, host.ids),
    policyFor: (session) => policies.for(session.dialect.name, session.mode, session.grants),
  };
  const recorded = new RecordedCalls<CallResponse>({
    database,
    clock: host.clock,
    isHarmless: (text) => redactText(text) === text,
  });
  const sessionFrom = ({ id, dialect, agent, mode }: SessionOptions): Session => ({
    id: id ?? host.ids.next('ses'),
    dialect: findDialect(dialect ?? options.dialect ?? 'handrail', known),
    agent: agent ?? { name: 'default' },
    mode: mode ?? options.mode ?? 'ask',
    grants: [],
  });
  const own = sessionFrom({});
  const perform = async (
    request: CallRequest,
    { session = own, resume }: CallOptions,
  ): Promise<CallResponse> => {
    if (resume !== true || request.id === undefined) return runCall(request, session, spine);
    const { signal: _signal, ...identity } = request;
    try {
      return await recorded.once(session.id, request.id, identity, () => runCall(request, session, spine));
    } catch (error) {
      if (error instanceof Failure) return runCall(request, session, spine, error);
      throw error;
    }
  };
  return {
    workspace,
    dialects: known,
    containment: host.containment,
    recovery,
    async openSession(sessionOptions = {}) {
      const session = sessionFrom(sessionOptions);
      const row = {
        id: session.id,
        workspace: workspace.root,
        dialect: session.dialect.name,
        created_at: host.clock.now(),
      };
      await database
        .insertInto('sessions')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      return session;
    },
    call: (tool, args, callOptions = {}) =>
      perform({ tool, args, signal: callOptions.signal, turn: callOptions.turn }, callOptions),
    async execute(request, callOptions = {}) {
      const { call, refusal } = openEnvelope(request);
      const inContext: CallRequest = { ...call, signal: callOptions.signal, turn: callOptions.turn };
      return refusal === undefined
        ? perform(inContext, callOptions)
        : runCall(inContext, callOptions.session ?? own, spine, refusal);
    },
    definitions: (agent = own.agent, dialect = own.dialect.name) => {
      const session = sessionFrom({ agent, dialect });
      return definitions(session.dialect, agent, spine.policyFor(session));
    },
    approvalRequest: (tool, args, { session = own } = {}) => rehearseCall({ tool, args }, session, spine),
    subscribe: (listener) => events.subscribe(listener),
    flush: () => audit.flush(),
    async [Symbol.asyncDispose]() {
      try {
        await audit[Symbol.asyncDispose]();
      } finally {
        await store[Symbol.asyncDispose]();
      }
    },
  };
}

/** Files of a workspace that a crashed process worked in. */
function otherWorkspace(root: string, home: string): Files | undefined {
  try {
    return localHost(root, home).host.files;
  } catch {
    return undefined;
  }
}
