/** The ports of one call: what its operation gets to run with or to look with, and what came of it. */
import type { BackgroundProcess, CommandChanges } from '../host/ports.ts';
import type { ChangeEffect, ChangeOwner } from '../journal/change-rows.ts';
import type { ChangeRecorder } from '../journal/pre-images.ts';
import { redactText } from '../journal/redact.ts';
import { isChange } from '../policy/access.ts';
import { decide, isDenied, losesItsQuestion } from '../policy/decide.ts';
import type { CallRecord } from './call-record.ts';
import {
  type CommandEffects,
  type EffectScope,
  type EndedCommand,
  expected,
  settle,
} from './command-effects.ts';
import { type Scope, scopeFiles, scopeForPreview } from './context.ts';
import type { ToolCallResult } from './envelope.ts';
import { ObservedFiles } from './observed-files.ts';
import type { OperationContext, ScopedPeople } from './operation.ts';
import { scopeCodeIndex } from './scoped-code-index.ts';
import { type CommandScope, scopeCommands } from './scoped-commands.ts';
import { scopeAgents } from './sub-agents.ts';
import { scopeGit } from './scoped-git.ts';
import { scopeLanguages } from './scoped-languages.ts';
import { scopeMemories } from './scoped-memories.ts';
import { scopeProcesses } from './scoped-processes.ts';
import { scopeSearch } from './scoped-search.ts';
import { scopeSkills } from './scoped-skills.ts';
import { scopeTodos } from './scoped-todos.ts';
import { scopeWeb } from './scoped-web.ts';
import { scopeSessionFiles } from './session-files.ts';
import type { Session } from './session.ts';
import type { Spine } from './spine.ts';
import type { WorkspaceView } from './workspace.ts';

/** Asks a human about changes that are there already, though nobody has them yet. */
export type AskAbout = (reason: string, changes: CommandChanges) => Promise<void>;

export class CallPorts {
  readonly #record: CallRecord;
  readonly #session: Session;
  readonly #spine: Spine;
  readonly #workspace: WorkspaceView;
  readonly #signal: AbortSignal;
  readonly #changed = new Set<string>();
  readonly #ran: string[] = [];
  readonly #held = new Set<string>();
  readonly #started: BackgroundProcess[] = [];
  readonly #changes: ChangeRecorder;
  readonly #observed: ObservedFiles;
  readonly #askAbout: AskAbout;
  readonly #people: ScopedPeople;

  constructor(
    record: CallRecord,
    session: Session,
    spine: Spine,
    workspace: WorkspaceView,
    signal: AbortSignal,
    askAbout: AskAbout,
    people: ScopedPeople,
  ) {
    this.#record = record;
    this.#session = session;
    this.#spine = spine;
    this.#workspace = workspace;
    this.#signal = signal;
    this.#observed = new ObservedFiles(spine.host.files, session.seen);
    this.#askAbout = askAbout;
    this.#people = people;
    this.#changes = spine.recordChanges(this.#owner());
  }

  /** What is to show for it: paths as the operation named them, commands as they were given, processes that go on. */
  artifacts(): Pick<ToolCallResult, 'artifacts'> {
    // Commands name no paths: what they changed is known by what it is.
    const changed = this.#ran.length === 0 ? [...this.#changed] : this.effects.map(({ path }) => path);
    const artifacts = {
      ...(changed.length === 0 ? {} : { files_changed: changed.slice(0, MAX_CHANGED) }),
      ...(this.#ran.length === 0 ? {} : { commands_run: [...this.#ran] }),
      ...(this.#started.length === 0
        ? {}
        : { processes_started: this.#started.map(({ id, pid = 0, command }) => ({ id, pid, command })) }),
    };
    return Object.keys(artifacts).length === 0 ? {} : { artifacts };
  }

  get effects(): readonly ChangeEffect[] {
    return this.#changes.effects;
  }

  /** For the deed. */
  toRun(): OperationContext {
    return this.#context(scopeFiles(this.#scope()));
  }

  /** For a look at what the deed would be. */
  toPreview(): OperationContext {
    return this.#context(scopeForPreview(this.#scope()));
  }

  /** Looks at files as if for the first time. */
  lookAgain(): void {
    this.#observed.lookAgain();
  }

  /** Whoever changes files has them to itself from the first look to the last write; who works in a view, once it is done. */
  async hold(): Promise<AsyncDisposable | undefined> {
    const { effect, accesses } = this.#record.judged!;
    if (effect === 'read' || this.#record.hasView) return undefined;
    const changed = accesses.filter(({ permission }) => isChange(permission));
    for (const { resolved } of changed) this.#held.add(resolved);
    return this.#spine.locks.hold(this.#workspace.root, [...this.#held], this.#signal);
  }

  /** What turns out to be changed only later; who holds a path already would wait for itself. */
  async #holdMore(paths: readonly string[]): Promise<AsyncDisposable> {
    const more = paths.filter((path) => !this.#held.has(path));
    return this.#spine.locks.hold(this.#workspace.root, more, this.#signal);
  }

  #owner(): ChangeOwner {
    const { call_id: callId, turn } = this.#record.head;
    return { callId, turn, session: this.#session.id };
  }

  /** Whether it may run only because undo takes back all that it does. */
  #mustBeReversible(): boolean {
    const { judged, approver } = this.#record;
    if (approver !== undefined || judged === undefined) return false;
    return decide({ ...judged, undo: 'none' }, this.#spine.policyFor(this.#session)).action === 'ask';
  }

  #scope(): Scope {
    const call = this.#record.judged!;
    const policy = this.#spine.policyFor(this.#session);
    return {
      files: this.#spine.host.files,
      accesses: call.accesses,
      callId: this.#record.head.call_id,
      signal: this.#signal,
      isDenied: (access) => isDenied(access, call, policy),
      losesItsQuestion: (from, to) => losesItsQuestion(from, to, call, policy),
      changes: this.#changes,
      onChange: (path) => this.#changed.add(path),
      observed: this.#observed,
      isOwnWrite: (path) => this.#spine.isOwnWrite(path),
      isReading: call.effect === 'read',
    };
  }

  /** For the deed in a view, of which nothing counts yet. */
  toTry(ended: EndedCommand[]): OperationContext {
    const finish = async (command: EndedCommand): Promise<CommandEffects> => {
      ended.push(command);
      return expected(command, this.#changes);
    };
    return this.#context(scopeForPreview(this.#scope()), { way: 'view', finish });
  }

  /** What ran before, for this very call. */
  resume(ended: EndedCommand): EndedCommand {
    this.#ran.push(ended.command);
    return ended;
  }

  /** Takes over what was done in a view. */
  async settle(ended: EndedCommand): Promise<void> {
    await settle(ended, this.#effects());
  }

  #effects(): EffectScope {
    return {
      call: this.#record.judged!,
      policy: this.#spine.policyFor(this.#session),
      recorder: this.#changes,
      mustBeReversible: this.#mustBeReversible(),
      hold: (paths) => this.#holdMore(paths),
      ask: (reason, changes) => this.#askAbout(reason, changes),
    };
  }

  #context(
    files: OperationContext['files'],
    way: Pick<CommandScope, 'way' | 'finish'> = {
      way: 'any',
      finish: (ended) => settle(ended, this.#effects()),
    },
  ): OperationContext {
    const addOutput = (text: string): void =>
      void this.#record.emit({ type: 'output-added', text: redactText(text) });
    const call = this.#record.judged!;
    const policy = this.#spine.policyFor(this.#session);
    const { commands } = this.#spine;
    const running: CommandScope = {
      ...this.#effects(),
      ...way,
      previews: this.#spine.previews,
      compare: this.#spine.compare,
      commands: this.#spine.host.commands,
      search: this.#spine.host.search,
      settings: { ...commands, environment: { ...commands.environment, ...this.#record.span.environment } },
      session: this.#session.id,
      wasApproved: this.#record.approver !== undefined,
      signal: this.#signal,
      network: () => this.#spine.background.network(this.#session.id),
      spool: () => this.#spine.outputs.spool(this.#session.id),
      onRun: (command) => this.#ran.push(command),
      onEnd: (tier, hosts) => this.#record.ran(tier, hosts),
      onOutput: addOutput,
      clock: this.#spine.host.clock,
      owner: this.#owner(),
    };
    return {
      files,
      commands: scopeCommands(running),
      processes: scopeProcesses({
        ...running,
        background: this.#spine.background,
        keepsAll: this.#spine.keepsProcesses,
        onStart: (process) => this.#started.push(process),
      }),
      git: scopeGit(running, this.#spine.host),
      languages: scopeLanguages({
        languages: () => this.#spine.languages(),
        search: this.#spine.host.search,
        call,
        policy,
        minimumSandbox: this.#spine.commands.minimumSandbox,
        signal: this.#signal,
      }),
      search: scopeSearch({
        search: this.#spine.host.search,
        call,
        policy,
        signal: this.#signal,
      }),
      codeIndex: scopeCodeIndex({ index: this.#spine.codeIndex, call, policy, signal: this.#signal }),
      documents: {
        read: (part, load) => this.#spine.host.documents.read(part, load, { signal: this.#signal }),
      },
      session: scopeSessionFiles({
        ...this.#scope(),
        session: this.#session.id,
        root: this.#workspace.root,
        locks: this.#spine.locks,
        isReadOnly: policy.mode === 'read-only',
        onFirst: () => this.#record.decided(),
      }),
      web: scopeWeb({
        web: this.#spine.host.web,
        call,
        policy,
        keys: this.#spine.searchKeys,
        wasApproved: this.#record.approver !== undefined,
        signal: this.#signal,
        onRedirect: (access) => this.#record.redirected(access),
      }),
      people: this.#people,
      outputs: this.#spine.outputs.pagesOf(this.#session.id),
      todos: scopeTodos({
        todos: this.#spine.todos,
        session: this.#session.id,
        accesses: call.accesses,
        onReplace: (items) => this.#record.emit({ type: 'todos-changed', items }),
      }),
      memories: scopeMemories({
        memories: this.#spine.memories,
        session: this.#session.id,
        accesses: call.accesses,
      }),
      agents: scopeAgents({
        turn: this.#record.head.turn,
        subAgents: this.#spine.subAgents,
        session: this.#session,
        accesses: call.accesses,
        signal: this.#signal,
      }),
      skills: scopeSkills({ shelf: this.#spine.skills, call, policy }),
      workspace: this.#workspace,
      settings: this.#spine.edits,
      callId: this.#record.head.call_id,
      signal: this.#signal,
      addOutput,
    };
  }
}

/** More files than this are counted, not named. */
const MAX_CHANGED = 1_000;
