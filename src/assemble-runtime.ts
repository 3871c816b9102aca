/** A runtime over parts that are there: its sessions, its calls, what people may ask of it, and its end. */
import { diffOfContents } from './capabilities/fs/unified-diff.ts';
import { dialects, findDialect } from './dialects/index.ts';
import { Failure } from './failure.ts';
import type { ProcessEvent } from './host/ports.ts';
import { auditedUndo } from './journal/audited-undo.ts';
import { cleanUndo } from './journal/clean.ts';
import { entryDiff } from './journal/entry-diff.ts';
import { redactText } from './journal/redact.ts';
import { turnCalls, turnEntries } from './journal/turn-entries.ts';
import { listTurns } from './journal/turns.ts';
import { unusableArguments } from './runtime/arguments.ts';
import { rehearseCall, runCall } from './runtime/call.ts';
import type { CallRequest, CallResponse, Spine } from './runtime/spine.ts';
import { definitions } from './runtime/catalogue.ts';
import { Events, type Observer, type RuntimeEvent } from './runtime/events.ts';
import { openEnvelope } from './runtime/open-envelope.ts';
import type { RunningCalls } from './runtime/running-calls.ts';
import type { Session } from './runtime/session.ts';
import { SubAgents } from './runtime/sub-agents.ts';
import { RecordedCalls } from './store/recorded-calls.ts';
import { sessionRows } from './store/sessions.ts';
import { agentNotes } from './agent-notes.ts';
import { makeSpine, type RuntimeParts } from './make-spine.ts';
import { openAgentPorts } from './open-agent-ports.ts';
import { enterProject, type Side } from './visit.ts';
import { openBackground } from './open-background.ts';
import type { CallOptions, Runtime, RuntimeOptions, SessionOptions } from './runtime-types.ts';
import type { ProjectRuntimes } from './project-runtimes.ts';
import { lent } from './runtime-pool.ts';
import { workspaceSettings } from './workspace-settings.ts';

/** A runtime, and what else of it others in this process need. */
export interface OpenedRuntime extends Side, AsyncDisposable {
  readonly runtime: Runtime;
  /** Background processes run that would end with it. */
  readonly isBusy: boolean;
}

/** What it has in common with the other runtimes of the process. */
interface ProcessParts {
  readonly projects: ProjectRuntimes;
  readonly observers: Set<Observer>;
  readonly running: RunningCalls;
}

/** Puts it over them; `end` is done after all else. */
export function assembleRuntime(
  options: RuntimeOptions,
  parts: Omit<RuntimeParts, 'background' | 'subAgents' | 'enter'>,
  { projects, observers, running }: ProcessParts,
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
  const events = new Events(workspace.root, observers);
  const background = openBackground(state, {
    workspace: workspace.root,
    locations: options.locations,
    environment: options.environment,
    onEvent: (event) => events.emit(tellOf(event, host.clock.now())),
  });
  const subAgents = new SubAgents();
  const enter: Spine['enter'] = (id, session) => enterProject(id, session, { spine, policies }, projects);
  const spine = makeSpine(options, { ...parts, background, subAgents, enter }, { events, running });
  const recorded = new RecordedCalls<CallResponse>({
    database,
    workspace: workspace.root,
    clock: host.clock,
    isHarmless: (text) => redactText(text) === text,
    isFinal: ({ outcome, result }) => outcome !== 'cancelled' && result.error?.code !== 'E_PENDING',
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
  const sessions = sessionRows(database, host.clock, state.processes);
  const noteOpen = (
    { id, dialect, agent }: Session,
    { id: _id, ...chosen }: SessionOptions = {},
  ): Promise<void> =>
    sessions.open({ id, workspace: workspace.root, dialect: dialect.name, agent: agent.name, chosen });
  let ownNoted: Promise<void> | undefined;
  let isDisposed = false;
  const ofAnother = (session: Session): Failure | undefined =>
    session.workspace === workspace.root ? undefined : otherSession(session);
  const perform = async (
    request: CallRequest,
    { session = own, resume }: CallOptions,
  ): Promise<CallResponse> => {
    const refusal = ofAnother(session);
    if (refusal !== undefined) return runCall(request, { ...own, dialect: session.dialect }, spine, refusal);
    // That others do not see it is not worth a failure.
    if (session === own) await (ownNoted ??= noteOpen(own).catch(() => undefined));
    if (resume !== true || request.id === undefined) return runCall(request, session, spine);
    const { tool, version, args, requestedPermissions, requiresApproval } = request;
    if (!isJson(args)) return runCall(request, session, spine);
    const identity = { tool, version, args, requestedPermissions, requiresApproval };
    try {
      return await recorded.once(session.id, request.id, identity, (begin) =>
        runCall({ ...request, begin }, session, spine),
      );
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
    dialect: own.dialect.name,
    containment: host.containment,
    recovery,
    projectSettings: config.projectState,
    settings: workspaceSettings({ ...host, ...options, database, policies, workspace: workspace.root }),
    projectRegistry: projects.registry,
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
      await noteOpen(session, sessionOptions);
      return session;
    },
    async closeSession({ id }) {
      await background.endSession(id);
      await sessions.close({ id, workspace: workspace.root });
    },
    cancelCall: ({ id, session = own }) =>
      running.cancel({ id, session: session.id, workspace: workspace.root }),
    call: (tool, args, callOptions = {}) => {
      const { session: _session, resume: _resume, ...call } = callOptions;
      return perform({ ...call, tool, args }, callOptions);
    },
    async execute(request, callOptions = {}) {
      const { call, refusal } = openEnvelope(request);
      const { signal, turn, trace, approve, prompt, canWait, listener } = callOptions;
      const traceId = call.traceId ?? callOptions.traceId;
      const inContext: CallRequest = {
        ...call,
        traceId,
        trace,
        signal,
        turn,
        approve,
        prompt,
        canWait,
        listener,
      };
      return refusal === undefined
        ? perform(inContext, callOptions)
        : runCall(inContext, callOptions.session ?? own, spine, refusal);
    },
    definitions: (agent = own.agent, dialect = own.dialect.name) => {
      const session = sessionFrom({ agent, dialect });
      return definitions(session.dialect, agent, spine.policyFor(session));
    },
    async approvalRequest(tool, args, { version, session, ...chosen } = {}) {
      const whose = session ?? (Object.keys(chosen).length === 0 ? own : sessionFrom(chosen));
      const refusal = ofAnother(whose);
      if (refusal !== undefined) throw refusal;
      return rehearseCall({ tool, args, version }, whose, spine);
    },
    ...agentNotes(spine, undoParts, own),
    turns: (limit = 20) => listTurns(undoParts, limit),
    turnEntries: (turn) => turnEntries(undoParts, turn),
    turnCalls: (turn) => turnCalls(undoParts, turn),
    entryDiff: (turn, path) => entryDiff({ ...undoParts, compare: diffOfContents }, turn, path),
    undo: (query = { last: 1 }, { dryRun = false, by = 'library' } = {}) =>
      auditedUndo(undoParts, audit, { query, dryRun, by, session: own.id }),
    languages: () => languages.states(),
    policyFor(dialect, mode, changed = {}) {
      if (!dialects(options.dialects).some(({ name }) => name === dialect)) return undefined;
      const session = sessionFrom({ dialect, mode });
      return policies.with(changed).for(session.dialect.name, session.mode, session.grants);
    },
    policySummary: () => policies.summary(),
    subscribe: (listener) => events.subscribe(listener),
    observe(observer) {
      observers.add(observer);
      return () => observers.delete(observer);
    },
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
