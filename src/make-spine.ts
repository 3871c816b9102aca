/** The spine of a runtime: for each thing a call needs, the part that does it. */
import { diffOfContents } from './capabilities/fs/unified-diff.ts';
import type { EffectiveSettings } from './config/effective.ts';
import { type LoadedConfig, userConfigFile } from './config/load.ts';
import { canRemember, rememberRule } from './config/remember-rule.ts';
import { Failure } from './failure.ts';
import { installedServers } from './host/local/language/installed-servers.ts';
import { localLanguageServers } from './host/local/language/language-servers.ts';
import { passedOn } from './host/local/sandbox/environment.ts';
import { localUserFile } from './host/local/user-file.ts';
import type { BackgroundProcesses, CodeIndex, Host, LanguageServers, LanguageState } from './host/ports.ts';
import type { AuditLog } from './journal/audit-log.ts';
import { isOwnWrite } from './journal/own-writes.ts';
import { canKeep } from './journal/kept-contents.ts';
import { recordChanges } from './journal/pre-images.ts';
import { keptPreviews } from './journal/previews.ts';
import { redactText } from './journal/redact.ts';
import type { Recovery } from './journal/recover.ts';
import type { UndoParts } from './journal/undo.ts';
import {
  alwaysRule,
  type ApprovalAnswer,
  type ApprovalRequest,
  nobodyToAsk,
  notYetAnswered,
} from './policy/approvals.ts';
import type { Policies } from './policy/policies.ts';
import type { Layer } from './policy/rule.ts';
import type { Visit } from './runtime/session.ts';
import type { UserAnswer, UserQuestion } from './runtime/people.ts';
import { deskAnswerer, type DeskSurroundings } from './runtime/question-desk.ts';
import { nobodyToPrompt, questionPending } from './runtime/scoped-people.ts';
import type { Spine } from './runtime/spine.ts';
import type { SubAgents } from './runtime/sub-agents.ts';
import type { Workspace } from './runtime/workspace.ts';
import { approvalRows } from './store/approvals.ts';
import { isAnyoneThere, PAGE } from './store/approvers.ts';
import { memoryStore } from './store/memories.ts';
import { messageRows } from './store/messages.ts';
import { keptOutputs } from './store/outputs.ts';
import { todoLists } from './store/todos.ts';
import { openSkills } from './open-skills.ts';
import type { State } from './open-state.ts';
import type { RuntimeOptions } from './runtime-types.ts';

/** What a runtime is put together from. */
export interface RuntimeParts {
  readonly host: Host;
  readonly workspace: Workspace;
  readonly policies: Policies;
  readonly config: LoadedConfig;
  readonly settings: EffectiveSettings;
  readonly state: State;
  readonly audit: AuditLog;
  readonly recovery: Recovery;
  readonly undoParts: UndoParts;
  readonly languages: LateLanguages;
  readonly codeIndex: CodeIndex;
  readonly background: BackgroundProcesses;
  readonly subAgents: SubAgents;
  readonly enter: Spine['enter'];
}

/** The language servers of a runtime, once somebody asks for them. */
export interface LateLanguages {
  get(): LanguageServers;
  /** Undefined where nobody asked yet. */
  readonly made: LanguageServers | undefined;
  /** What this machine has; nothing is started. */
  states(): LanguageState[];
}

/** Most runtimes never need one. */
export function lateLanguages(
  options: RuntimeOptions,
  { host, workspace, settings }: LanguageParts,
): LateLanguages {
  let made: LanguageServers | undefined;
  const installed = {
    roots: workspace.roots,
    environment: options.environment ?? {},
    settings: settings.languages.servers,
  };
  return {
    states: () => installedServers(installed).states(),
    get: () =>
      (made ??= localLanguageServers({
        files: host.files,
        search: host.search,
        commands: host.commands,
        ...installed,
        limits: { memoryBytes: settings.languages.memoryBytes },
      })),
    get made() {
      return made;
    },
  };
}

type LanguageParts = Pick<RuntimeParts, 'host' | 'workspace' | 'settings'>;

/** The spine over them. */
export function makeSpine(
  options: RuntimeOptions,
  parts: RuntimeParts,
  { events, running }: Pick<Spine, 'events' | 'running'>,
): Spine {
  const { host, workspace, policies, settings, state, audit, undoParts, languages, codeIndex, background } =
    parts;
  const { database } = state.store;
  const userFile = localUserFile(userConfigFile(options.locations));
  const desk = ({ canWait }: { readonly canWait: boolean }): DeskSurroundings => ({
    workspace: workspace.root,
    clock: host.clock,
    timeoutMs: settings.approvalTimeoutMs,
    patienceMs: canWait ? undefined : settings.patienceMs,
    wait: options.wait === true,
    isAnyoneThere: () => isAnyoneThere(database, state.processes),
  });
  return {
    host,
    workspace,
    audit,
    events,
    running,
    approvalTimeoutMs: settings.approvalTimeoutMs,
    approverFor: ({ approve: own = options.approve, canWait = true }) =>
      deskAnswerer({
        ...desk({ canWait }),
        desk: approvalRows<ApprovalRequest, ApprovalAnswer>(database, host.clock, state.processes),
        own,
        silence: { answer: 'deny', reason: 'The approver gave no answer.' },
        nobodyThere: nobodyToAsk,
        notYetAnswered,
      }),
    prompterFor: ({ prompt: own = options.prompt, canWait = true }) =>
      deskAnswerer({
        ...desk({ canWait }),
        desk: approvalRows<UserQuestion, UserAnswer>(database, host.clock, state.processes),
        own,
        silence: { kind: 'declined' },
        nobodyThere: nobodyToPrompt,
        notYetAnswered: questionPending,
      }),
    async show(message, session) {
      await messageRows(database, host.clock).keep(workspace.root, session, message);
      return isAnyoneThere(database, state.processes, PAGE);
    },
    outputs: keptOutputs({ ...host, database, workspace: workspace.root, state: state.directory }),
    locks: undoParts.locks,
    memories: memoryStore({ ...host, database, workspace: workspace.root }),
    skills: openSkills(
      options.readConfig === true
        ? {
            files: host.files,
            database,
            workspace: workspace.root,
            locations: options.locations,
            paths: settings.skillPaths,
          }
        : undefined,
    ),
    todos: todoLists({ database, clock: host.clock, workspace: workspace.root }),
    subAgents: parts.subAgents,
    languages: () => languages.get(),
    codeIndex,
    noticed(changes) {
      languages.made?.noticed(changes);
      codeIndex.noticed(changes);
    },
    edits: settings.edits,
    background,
    keepsProcesses: options.keepProcesses === true,
    commands: {
      ...settings.commands,
      runsGitPrograms: settings.git.runsPrograms,
      environment: passedOn(options.environment ?? {}, settings.commands.environment),
    },
    searchKeys: searchKeys(settings.searchProviders, options.environment ?? {}),
    policyFor: ({ dialect, mode, grants, visit }) => {
      const policy = policies.for(dialect.name, mode, grants);
      return visit === undefined ? policy : { ...policy, layers: [...policy.layers, deniesOf(visit)] };
    },
    enter: parts.enter,
    recordChanges: (owner) => recordChanges(undoParts, owner),
    compare: diffOfContents,
    previews: keptPreviews({
      ...undoParts,
      left: host.commands.left,
      isHarmless: (text) => redactText(text) === text,
    }),
    isOwnWrite: (path) => isOwnWrite(undoParts, path),
    canKeep: (path) => canKeep(host.files, path, undoParts),
    alwaysRule: (call, { dialect, mode, visit }) =>
      options.readConfig === true && visit === undefined && canRemember(userFile)
        ? alwaysRule(call, workspace.root, (rule) =>
            policies.with({ more: [rule] }).for(dialect.name, mode, []),
          )
        : undefined,
    remember(rule) {
      try {
        rememberRule(userFile, rule);
        return undefined;
      } catch (error) {
        if (error instanceof Failure) return error.message;
        throw error;
      }
    },
  };
}

/** What the own project of a visitor keeps it from, also below a folder that it may look into. */
function deniesOf({ policy }: Visit): Layer {
  const rules = policy.layers.flatMap((layer) => layer.rules);
  return { name: 'visitor', rules: rules.filter(({ action }) => action === 'deny') };
}

/** The variables that the settings name, and no others. */
function searchKeys(
  providers: EffectiveSettings['searchProviders'],
  environment: NonNullable<RuntimeOptions['environment']>,
): Record<string, string> {
  const named = providers.flatMap(({ keyVariable }) => keyVariable ?? []);
  return Object.fromEntries(
    named.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]])),
  );
}
