/** The one place where the parts of a workspace are put together: host, store, journal, policy, config, dialects, and the spine over them. */
import { diffOfContents } from './capabilities/fs/unified-diff.ts';
import { effectiveSettings } from './config/effective.ts';
import { type LoadedConfig, loadConfig, userConfigFile } from './config/load.ts';
import { dialects, findDialect } from './dialects/index.ts';
import { Failure } from './failure.ts';
import { spellings } from './host/local/root.ts';
import { localUserFile } from './host/local/user-file.ts';
import type { ProcessEvent } from './host/ports.ts';
import { auditedUndo } from './journal/audited-undo.ts';
import { cleanUndo } from './journal/clean.ts';
import { entryDiff } from './journal/entry-diff.ts';
import { recoverCommands } from './journal/left-changes.ts';
import { recoverUndo } from './journal/left-undo.ts';
import { redactText } from './journal/redact.ts';
import { turnEntries } from './journal/turn-entries.ts';
import { listTurns } from './journal/turns.ts';
import type { UndoParts } from './journal/undo.ts';
import { protectPlaces } from './policy/places.ts';
import { Policies } from './policy/policies.ts';
import { unusableArguments } from './runtime/arguments.ts';
import { rehearseCall, runCall } from './runtime/call.ts';
import type { CallRequest, CallResponse, Spine } from './runtime/spine.ts';
import { definitions } from './runtime/catalogue.ts';
import { Events, type RuntimeEvent } from './runtime/events.ts';
import { openEnvelope } from './runtime/open-envelope.ts';
import type { Session } from './runtime/session.ts';
import { SubAgents } from './runtime/sub-agents.ts';
import type { Workspace } from './runtime/workspace.ts';
import { pathLocks } from './store/path-locks.ts';
import { RecordedCalls } from './store/recorded-calls.ts';
import { agentNotes } from './agent-notes.ts';
import { lateLanguages, makeSpine, type RuntimeParts } from './make-spine.ts';
import { openAgentPorts } from './open-agent-ports.ts';
import { enterProject, type Side } from './visit.ts';
import { openCodeIndex } from './open-code-index.ts';
import { openBackground, settleBackground } from './open-background.ts';
import type { openHost } from './open-host.ts';
import type { Shared } from './open-shared.ts';
import type { CallOptions, Runtime, RuntimeOptions, SessionOptions } from './runtime-types.ts';
import type { ProjectRuntimes } from './project-runtimes.ts';
import { lent } from './runtime-pool.ts';

/** Larger files are not kept for undo, and said not to be. */
const MAX_KEPT_FILE_BYTES = 64 * 1024 * 1024;

/** A runtime, and what else of it others in this process need. */
export interface OpenedRuntime extends Side, AsyncDisposable {
  readonly runtime: Runtime;
  /** Background processes run that would end with it. */
  readonly isBusy: boolean;
}

/** A runtime over what the process shares, for a workspace whose host it takes over; `end` is done after all else. */
export async function openRuntime(
  options: RuntimeOptions,
  shared: Shared,
  { host, roots }: ReturnType<typeof openHost>,
  projects: ProjectRuntimes,
  end: () => Promise<void> = async () => undefined,
): Promise<OpenedRuntime> {
  const { locations } = options;
  const { state } = shared;
  const { database } = state.store;
  try {
    const config =
      options.readConfig === true
        ? await loadConfig({
            userFile: localUserFile(userConfigFile(locations)),
            project: { files: host.files, database, workspace: roots[0] },
          })
        : NO_CONFIG;
    const policies = new Policies(config.user.rules ?? [], protectPlaces(roots, locations, spellings), {
      callerRules: options.rules,
      projectRules: config.project.rules,
      isTrusted: config.projectState === 'trusted',
      workspace: roots[0],
    });
    const settings = effectiveSettings(config);
    const { searchProviders } = settings;
    const workspace: Workspace = { root: roots[0], roots, searchProviders };
    findDialect(options.dialect ?? settings.dialect, options.dialects);
    const undoParts: UndoParts = {
      ...host,
      processes: state.processes,
      state: state.directory,
      database,
      workspace: workspace.root,
      maxFileBytes: MAX_KEPT_FILE_BYTES,
      quotaBytes: settings.undo.own.quotaBytes,
      locks: pathLocks({ database, processes: state.processes, clock: host.clock, ids: host.ids }),
    };
    const fates = [
      ...(await recoverCommands({ ...undoParts, left: host.commands.left })),
      ...(await recoverUndo(undoParts)),
    ];
    const { audit, recovered } = await shared.openAudit(fates);
    const settled = await settleBackground(state, workspace.root);
    const recovery = { ...recovered, cutShort: [...fates.map(({ says }) => says), ...settled] };
    const languages = lateLanguages(options, { host, workspace, settings });
    const codeIndex = openCodeIndex(options, { workspace, settings, policies, state });
    const parts = { host, workspace, policies, config, settings, state, audit, recovery, undoParts };
    return assemble(options, { ...parts, languages, codeIndex }, projects, end);
  } catch (error) {
    host[Symbol.dispose]();
    throw error;
  }
}

const NO_CONFIG: LoadedConfig = { user: {}, project: {}, projectState: 'none' };

function assemble(
  options: RuntimeOptions,
  parts: Omit<RuntimeParts, 'background' | 'subAgents' | 'enter'>,
  projects: ProjectRuntimes,
  end: () => Promise<void>,
): OpenedRuntime {
  const {
    host,
    workspace,
    policies,
    config,
    settings,
    state,
    audit,
    recovery,
    undoParts,
    languages,
    codeIndex,
  } = parts;
  const { database } = state.store;
  const events = new Events();
  const background = openBackground(state, {
    workspace: workspace.root,
    locations: options.locations,
    environment: options.environment,
    onEvent: (event) => events.emit(tellOf(event, host.clock.now())),
  });
  const subAgents = new SubAgents();
  const enter: Spine['enter'] = (id, session) => enterProject(id, session, { spine, policies }, projects);
  const spine = makeSpine(options, { ...parts, background, subAgents, enter }, events);
  const recorded = new RecordedCalls<CallResponse>({
    database,
    workspace: workspace.root,
    clock: host.clock,
    isHarmless: (text) => redactText(text) === text,
  });
  const sessionFrom = ({ id, dialect, agent, mode }: SessionOptions): Session => {
    const chosenMode = mode ?? options.mode ?? (settings.mode === undefined ? options.usualMode : undefined);
    return {
      id: id ?? host.ids.next('ses'),
      workspace: workspace.root,
      dialect: findDialect(dialect ?? options.dialect ?? settings.dialect, options.dialects),
      agent: agent ?? { name: 'default' },
      mode: chosenMode ?? settings.mode ?? 'ask',
      chosenMode,
      grants: [],
      seen: new Map(),
      visits: new Map(),
    };
  };
  const own = sessionFrom({});
  let isDisposed = false;
  const ofAnother = (session: Session): Failure | undefined =>
    session.workspace === workspace.root ? undefined : otherSession(session);
  const perform = async (
    request: CallRequest,
    { session = own, resume }: CallOptions,
  ): Promise<CallResponse> => {
    const refusal = ofAnother(session);
    if (refusal !== undefined) return runCall(request, { ...own, dialect: session.dialect }, spine, refusal);
    if (resume !== true || request.id === undefined) return runCall(request, session, spine);
    const { tool, version, args, requestedPermissions, requiresApproval } = request;
    if (!isJson(args)) return runCall(request, session, spine);
    const identity = { tool, version, args, requestedPermissions, requiresApproval };
    try {
      return await recorded.once(session.id, request.id, identity, () => runCall(request, session, spine));
    } catch (error) {
      if (error instanceof Failure) return runCall(request, session, spine, error);
      throw error;
    }
  };
  const runtime: Runtime = {
    workspace,
    get dialects() {
      return dialects(options.dialects);
    },
    containment: host.containment,
    recovery,
    projectSettings: config.projectState,
    async project(id) {
      const project = await projects.registry.find(id);
      if (project.root === workspace.root) return lent(runtime, () => undefined);
      const held = await projects.hold(project);
      return lent(held.value.runtime, () => held[Symbol.dispose]());
    },
    agentPorts: openAgentPorts({
      host,
      database,
      workspace: workspace.root,
      settings: settings.agents,
      locations: options.locations,
      subAgents,
    }),
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
    closeSession: ({ id }) => background.endSession(id),
    call: (tool, args, callOptions = {}) => {
      const { session: _session, resume: _resume, ...call } = callOptions;
      return perform({ ...call, tool, args }, callOptions);
    },
    async execute(request, callOptions = {}) {
      const { call, refusal } = openEnvelope(request);
      const { signal, turn, approve, prompt, canWait, listener } = callOptions;
      const inContext: CallRequest = { ...call, signal, turn, approve, prompt, canWait, listener };
      return refusal === undefined
        ? perform(inContext, callOptions)
        : runCall(inContext, callOptions.session ?? own, spine, refusal);
    },
    definitions: (agent = own.agent, dialect = own.dialect.name) => {
      const session = sessionFrom({ agent, dialect });
      return definitions(session.dialect, agent, spine.policyFor(session));
    },
    async approvalRequest(tool, args, { session = own, version } = {}) {
      const refusal = ofAnother(session);
      if (refusal !== undefined) throw refusal;
      return rehearseCall({ tool, args, version }, session, spine);
    },
    ...agentNotes(spine, undoParts, own),
    turns: (limit = 20) => listTurns(undoParts, limit),
    turnEntries: (turn) => turnEntries(undoParts, turn),
    entryDiff: (turn, path) => entryDiff({ ...undoParts, compare: diffOfContents }, turn, path),
    undo: (query = { last: 1 }, { dryRun = false, by = 'library' } = {}) =>
      auditedUndo(undoParts, audit, { query, dryRun, by, session: own.id }),
    languages: () => languages.states(),
    policyFor: (dialect, mode) =>
      dialects(options.dialects).some(({ name }) => name === dialect)
        ? spine.policyFor(sessionFrom({ dialect, mode }))
        : undefined,
    policySummary: () => policies.summary(),
    subscribe: (listener) => events.subscribe(listener),
    flush: () => audit.flush(),
    async [Symbol.asyncDispose]() {
      if (isDisposed) return;
      isDisposed = true;
      try {
        await languages.made?.[Symbol.asyncDispose]();
        await codeIndex[Symbol.asyncDispose]();
        await background[Symbol.asyncDispose]();
        await audit.flush();
        await cleanUndo(undoParts, settings.undo);
      } finally {
        await end();
        host[Symbol.dispose]();
      }
    },
  };
  return {
    runtime,
    spine,
    mode: own.mode,
    get isBusy() {
      return background.isBusy;
    },
    [Symbol.asyncDispose]: async () => runtime[Symbol.asyncDispose](),
  };
}

/** What was granted in one workspace counts in no other. */
function otherSession({ id, workspace }: Session): Failure {
  return new Failure('E_CONFLICT', `The session ${id} is one of ${JSON.stringify(workspace)}.`, {
    hint: 'Open a session in this workspace.',
  });
}

/** What happens to a background process, as listeners hear it. */
function tellOf({ process, session, ...event }: ProcessEvent, at: number): RuntimeEvent {
  const about = { process, session, at };
  if (event.type === 'ended') {
    const { by, exitCode } = event.ended;
    return { ...about, type: 'process-ended', by, exitCode };
  }
  const text = redactText(new TextDecoder().decode(event.bytes));
  return { ...about, type: 'process-output', text, position: event.position };
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
