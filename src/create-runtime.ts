/** The one place where the parts are put together: host, store, journal, policy, config, dialects, and the spine over them. */
import { addRule } from './config/add-rule.ts';
import { type LoadedConfig, loadConfig, userConfigFile } from './config/load.ts';
import { CONFIG_TEMPLATE } from './config/template.ts';
import { dialects as builtinDialects, findDialect } from './dialects/index.ts';
import { Failure } from './failure.ts';
import { localHost } from './host/local/host.ts';
import { localProcessTable } from './host/local/process-table.ts';
import { localStateDirectory } from './host/local/state-directory.ts';
import { spellings } from './host/local/root.ts';
import { readUserFile, writeUserFile } from './host/local/user-file.ts';
import type { Files, Host, ProcessTable, StateDirectory } from './host/ports.ts';
import { auditedUndo } from './journal/audited-undo.ts';
import { AuditLog } from './journal/audit-log.ts';
import { cleanUndo, type UndoLimits } from './journal/clean.ts';
import { recordChanges } from './journal/pre-images.ts';
import { recover, type Recovery } from './journal/recover.ts';
import { redactText } from './journal/redact.ts';
import {
  listTurns,
  type TurnQuery,
  type TurnSummary,
  type UndoParts,
  type UndoReport,
} from './journal/undo.ts';
import { APPROVAL_TIMEOUT_MS, type Approver } from './policy/approvals.ts';
import type { Mode, Policy } from './policy/decide.ts';
import { type Locations, protectPlaces } from './policy/places.ts';
import { Policies, type PolicySummary } from './policy/policies.ts';
import { compileLayer, type Rule } from './policy/rule.ts';
import { unusableArguments } from './runtime/arguments.ts';
import { deskApprover } from './runtime/approval-desk.ts';
import { rehearseCall, runCall } from './runtime/call.ts';
import type { CallRequest, CallResponse, Rehearsal, Spine } from './runtime/spine.ts';
import { type Definition, definitions } from './runtime/catalogue.ts';
import { type EventListener, Events } from './runtime/events.ts';
import { openEnvelope } from './runtime/open-envelope.ts';
import type { Agent, Session } from './runtime/session.ts';
import type { Dialect } from './runtime/tool.ts';
import type { Workspace } from './runtime/workspace.ts';
import { approvalRows } from './store/approvals.ts';
import { isAnyoneThere } from './store/approvers.ts';
import { keptOutputs } from './store/outputs.ts';
import { RecordedCalls } from './store/recorded-calls.ts';
import { openStore, type Store } from './store/store.ts';

export interface RuntimeOptions {
  /** The folder tools work in; never the home folder or `/`. */
  readonly workspace: string;
  /** Where state and config live; `userLocations(process.env, homedir())` for a user's own. */
  readonly locations: Locations;
  /** What new sessions speak; else what the settings say, else `handrail`. */
  readonly dialect?: string | undefined;
  /** How much is asked; else what the settings say, else `ask`. */
  readonly mode?: Mode | undefined;
  /** Rules over the defaults, after those of the user's settings. */
  readonly rules?: readonly Rule[];
  /** Whether settings files count: the user's, and the workspace's own where a person trusted it. Off by default. */
  readonly readConfig?: boolean;
  /** Answers questions; others may, too, and the first answer counts. */
  readonly approve?: Approver | undefined;
  /** Waits for an answer even where nobody is known to be there. */
  readonly wait?: boolean;
  /** More dialects besides the built-in ones. */
  readonly dialects?: readonly Dialect[];
}

export interface SessionOptions {
  readonly id?: string | undefined;
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
  /** The version of the tool that the caller was written for. */
  readonly version?: string | undefined;
}

export interface Runtime extends AsyncDisposable {
  readonly workspace: Workspace;
  readonly dialects: readonly Dialect[];
  /** How file access is contained on this machine. */
  readonly containment: string;
  /** What the start found to put right after a crash. */
  readonly recovery: Recovery;
  /** Whether the workspace has settings of its own, and whether they count. */
  readonly projectSettings: LoadedConfig['projectState'];
  openSession(options?: SessionOptions): Promise<Session>;
  /** Runs a tool. Never throws: look at the response's outcome. */
  call(tool: string, args: unknown, options?: CallOptions): Promise<CallResponse>;
  /** Runs a whole `ToolCallRequest`, with its ids. */
  execute(request: unknown, options?: CallOptions): Promise<CallResponse>;
  /** The tools an agent has, with schemas, permissions and risk. */
  definitions(agent?: Agent, dialect?: string): Definition[];
  /** What would be decided about a call, and what a human would be asked, without running it. */
  approvalRequest(tool: string, args: unknown, options?: CallOptions): Promise<Rehearsal>;
  /** The turns of the workspace that changed something, newest first. */
  turns(limit?: number): Promise<TurnSummary[]>;
  /** Takes turns back; what changed since is reported and left alone. For people: no tool reaches it. */
  undo(query?: TurnQuery, options?: { readonly dryRun?: boolean; readonly by?: string }): Promise<UndoReport>;
  /** The policy a new session of a dialect would have; undefined for a dialect that is not known. */
  policyFor(dialect: string): Policy | undefined;
  /** How many rules each layer has, and how many examples hold. */
  policySummary(): PolicySummary;
  /** Listens to everything that happens until the returned function is called. */
  subscribe(listener: EventListener): () => void;
  /** Waits until the audit is on the disk. */
  flush(): Promise<void>;
}

/** Larger files are not kept for undo, and said not to be. */
const MAX_KEPT_FILE_BYTES = 64 * 1024 * 1024;

/** Handrail's state of a user, opened: for the runtime and for those who only look at it. */
export interface State extends AsyncDisposable {
  readonly directory: StateDirectory;
  readonly store: Store;
  readonly processes: ProcessTable;
}

/** Opens the state folder and the store in it. */
export function openState(locations: Locations): State {
  const directory = localStateDirectory(locations.state);
  const store = openStore(directory.privateFile('handrail.sqlite'));
  return {
    directory,
    store,
    processes: localProcessTable(),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

/** Puts a runtime together for one workspace. Dispose it: that writes the last of the audit. */
export async function createRuntime(options: RuntimeOptions): Promise<Runtime> {
  const { locations } = options;
  // What the caller got wrong is said before anything is opened.
  compileLayer('user', options.rules ?? []);
  const { host, roots } = localHost(options.workspace, locations.home);
  refuseOwnFolders(roots[0], locations);
  const state = openState(locations);
  try {
    const { database } = state.store;
    const workspace: Workspace = { root: roots[0], roots };
    const config =
      options.readConfig === true
        ? await loadConfig({ locations, files: host.files, database, workspace: roots[0], readUserFile })
        : NO_CONFIG;
    const policies = new Policies(
      [...(config.user.rules ?? []), ...(options.rules ?? [])],
      protectPlaces(roots, locations, spellings),
      {
        projectRules: config.project.rules,
        workspace: roots[0],
      },
    );
    const auditParts = {
      state: state.directory,
      database,
      processes: state.processes,
      clock: host.clock,
      ids: host.ids,
    };
    findDialect(dialectOf(options, config), [...builtinDialects, ...(options.dialects ?? [])]);
    const recovered = await recover(auditParts, (root) => otherWorkspace(root, locations.home));
    const audit = await AuditLog.open(auditParts);
    const recovery = { ...recovered, damaged: [...recovered.damaged, ...audit.putAside] };
    return assemble(options, { host, workspace, policies, config, state, audit, recovery });
  } catch (error) {
    await state[Symbol.asyncDispose]();
    host[Symbol.dispose]();
    throw error;
  }
}

/** Handrail's own folders can lie in a workspace, out of its tools' reach; a workspace can't lie in them. */
function refuseOwnFolders(root: string, { state, config }: Locations): void {
  const holds = (folder: string): boolean => root === folder || root.startsWith(`${folder}/`);
  if (![state, config].flatMap(spellings).some(holds)) return;
  throw new Failure('E_UNSUPPORTED', "The workspace lies in Handrail's own state or config folder.", {
    hint: 'Choose a project folder, or set XDG_STATE_HOME to another place.',
  });
}

const NO_CONFIG: LoadedConfig = { user: {}, project: {}, projectState: 'none' };

function dialectOf(options: RuntimeOptions, { user, project }: LoadedConfig): string {
  return options.dialect ?? project.dialect ?? user.dialect ?? 'handrail';
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
  readonly policies: Policies;
  readonly config: LoadedConfig;
  readonly state: State;
  readonly audit: AuditLog;
  readonly recovery: Recovery;
}

function assemble(options: RuntimeOptions, parts: Parts): Runtime {
  const { host, workspace, policies, config, state, audit, recovery } = parts;
  const { database } = state.store;
  const known = [...builtinDialects, ...(options.dialects ?? [])];
  const events = new Events();
  const undoParts: UndoParts = {
    ...host,
    state: state.directory,
    database,
    workspace: workspace.root,
    maxFileBytes: MAX_KEPT_FILE_BYTES,
  };
  const spine = makeSpine(options, parts, events, undoParts);
  const recorded = new RecordedCalls<CallResponse>({
    database,
    clock: host.clock,
    isHarmless: (text) => redactText(text) === text,
  });
  const sessionFrom = ({ id, dialect, agent, mode }: SessionOptions): Session => ({
    id: id ?? host.ids.next('ses'),
    dialect: findDialect(dialect ?? dialectOf(options, config), known),
    agent: agent ?? { name: 'default' },
    mode: mode ?? options.mode ?? config.project.mode ?? config.user.mode ?? 'ask',
    grants: [],
  });
  const own = sessionFrom({});
  let isDisposed = false;
  const perform = async (
    request: CallRequest,
    { session = own, resume }: CallOptions,
  ): Promise<CallResponse> => {
    if (resume !== true || request.id === undefined) return runCall(request, session, spine);
    const { signal: _signal, ...identity } = request;
    if (!isJson(identity.args)) return runCall(request, session, spine);
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
    projectSettings: config.projectState,
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
    call: (tool, args, callOptions = {}) => {
      const { signal, turn, version } = callOptions;
      return perform({ tool, args, signal, turn, version }, callOptions);
    },
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
    approvalRequest: (tool, args, { session = own, version } = {}) =>
      rehearseCall({ tool, args, version }, session, spine),
    turns: (limit = 20) => listTurns(undoParts, limit),
    undo: (query = { last: 1 }, { dryRun = false, by = 'library' } = {}) =>
      auditedUndo(undoParts, audit, { query, dryRun, by, session: own.id }),
    policyFor: (dialect) =>
      known.some(({ name }) => name === dialect) ? spine.policyFor(sessionFrom({ dialect })) : undefined,
    policySummary: () => policies.summary(),
    subscribe: (listener) => events.subscribe(listener),
    flush: () => audit.flush(),
    async [Symbol.asyncDispose]() {
      if (isDisposed) return;
      isDisposed = true;
      try {
        await audit[Symbol.asyncDispose]();
        await cleanUndo(undoParts, undoLimits(config));
      } finally {
        await state[Symbol.asyncDispose]();
        host[Symbol.dispose]();
      }
    },
  };
}

/** Whether a wire could have carried these arguments. */
function isJson(args: unknown): boolean {
  if (unusableArguments(args) !== undefined) return false;
  try {
    JSON.stringify(args);
    return true;
  } catch {
    return false;
  }
}

function undoLimits({ user, project }: LoadedConfig): UndoLimits {
  const { keepDays = 30, quotaMegabytes = 1_024 } = { ...user.undo, ...project.undo };
  return { keepMs: keepDays * 86_400_000, quotaBytes: quotaMegabytes * 1_048_576 };
}

function makeSpine(options: RuntimeOptions, parts: Parts, events: Events, undoParts: UndoParts): Spine {
  const { host, workspace, policies, config, state, audit } = parts;
  const { database } = state.store;
  const seconds = config.project.approvals?.timeoutSeconds ?? config.user.approvals?.timeoutSeconds;
  const timeoutMs = seconds === undefined ? APPROVAL_TIMEOUT_MS : seconds * 1_000;
  return {
    host,
    workspace,
    audit,
    events,
    approvalTimeoutMs: timeoutMs,
    approver: deskApprover({
      desk: approvalRows(database, host.clock),
      workspace: workspace.root,
      clock: host.clock,
      timeoutMs,
      own: options.approve,
      wait: options.wait === true,
      isAnyoneThere: () => isAnyoneThere(database, state.processes),
    }),
    outputs: keptOutputs(database, host.clock, host.ids),
    policyFor: (session) => policies.for(session.dialect.name, session.mode, session.grants),
    recordChanges: (owner) => recordChanges(undoParts, owner),
    async remember(rule) {
      if (options.readConfig !== true) return;
      const file = userConfigFile(options.locations);
      writeUserFile(file, addRule(readUserFile(file) ?? CONFIG_TEMPLATE, rule));
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
