/** What the library's door takes and gives: options, and the runtime itself. */
import type { LoadedConfig } from './config/load.ts';
import type { LanguageState } from './host/ports.ts';
import type { EntryDiff } from './journal/entry-diff.ts';
import type { Recovery } from './journal/recover.ts';
import type { TurnCall, TurnEntry } from './journal/turn-entries.ts';
import type { TurnQuery, TurnSummary } from './journal/turns.ts';
import type { UndoReport } from './journal/undo.ts';
import type { Approver } from './policy/approvals.ts';
import type { Mode, Policy } from './policy/decide.ts';
import type { Locations } from './policy/places.ts';
import type { ChangedRules, PolicySummary } from './policy/policies.ts';
import type { Rule } from './policy/rule.ts';
import type { Definition } from './runtime/catalogue.ts';
import type { EventListener, Observer } from './runtime/events.ts';
import type { Memory } from './runtime/memories.ts';
import type { Prompter } from './runtime/people.ts';
import type { Agent, Session } from './runtime/session.ts';
import type { FoundSkills, SkillSummary, TriggeredSkill } from './runtime/skills.ts';
import type { CallResponse, Rehearsal } from './runtime/spine.ts';
import type { TodoItem } from './runtime/todos.ts';
import type { Dialect } from './runtime/tool.ts';
import type { TraceContext } from './runtime/trace-context.ts';
import type { Workspace } from './runtime/workspace.ts';
import type { AgentPorts } from './open-agent-ports.ts';
import type { ProjectRegistry } from './project-registry.ts';
import type { WorkspaceSettings } from './workspace-settings.ts';

export interface RuntimeOptions {
  /** The folder tools work in; never the home folder or `/`. */
  readonly workspace: string;
  /** Where state and config live; `userLocations(process.env, homedir())` for a user's own. */
  readonly locations: Locations;
  /**
   * The environment that commands take their search path and language from, and keys of search engines where the
   * settings name their variables; nothing else of it is passed on.
   */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** What new sessions speak; else what the settings say, else `handrail`. */
  readonly dialect?: string | undefined;
  /** How much is asked; else what the settings say. */
  readonly mode?: Mode | undefined;
  /** How much is asked where neither the caller nor the settings say; `ask` by default. */
  readonly usualMode?: Mode;
  /** Rules over the defaults, after those of the user's settings. */
  readonly rules?: readonly Rule[];
  /** Whether settings files count: the user's, and the workspace's own where a person trusted it. Off by default. */
  readonly readConfig?: boolean;
  /** Answers questions; others may, too, and the first answer counts. */
  readonly approve?: Approver | undefined;
  /** Answers what agents ask their user; others may, too, and the first answer counts. */
  readonly prompt?: Prompter | undefined;
  /** Waits for an answer even where nobody is known to be there. */
  readonly wait?: boolean;
  /** Whether background processes go on after the runtime; for one that makes a single call. */
  readonly keepProcesses?: boolean;
  /** More dialects besides the built-in ones. */
  readonly dialects?: readonly Dialect[];
}

export interface SessionOptions {
  readonly id?: string | undefined;
  readonly dialect?: string | undefined;
  readonly agent?: Agent;
  readonly mode?: Mode | undefined;
}

export interface CallOptions {
  /** Whose call it is; a session of the runtime's own by default. */
  readonly session?: Session;
  /** The caller's own id for the call. */
  readonly id?: string | undefined;
  /** The caller may send the same call again after a lost connection: the same id then gets the same answer. */
  readonly resume?: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly turn?: string | undefined;
  readonly traceId?: string | undefined;
  /** The trace that the caller is in, where it is another one than that of the code around. */
  readonly trace?: TraceContext | undefined;
  /** The caller wants a human to look, whatever the policy says. */
  readonly requiresApproval?: boolean | undefined;
  /** The version of the tool that the caller was written for. */
  readonly version?: string | undefined;
  /** Answers this call's question, in place of the runtime's own approver. */
  readonly approve?: Approver | undefined;
  /** Answers what this call asks the user, in place of the runtime's own prompter. */
  readonly prompt?: Prompter | undefined;
  /** Whether the caller waits for as long as its question is open; else it is told in time that there is no answer yet. */
  readonly canWait?: boolean;
  /** Hears what happens in this call. */
  readonly listener?: EventListener | undefined;
}

/** Whose call it would be: a session's, or one of a session that is not open. */
export type RehearsalOptions = Pick<CallOptions, 'session' | 'version'> &
  Pick<SessionOptions, 'id' | 'dialect' | 'agent' | 'mode'>;

export interface Runtime extends AsyncDisposable {
  readonly workspace: Workspace;
  readonly dialects: readonly Dialect[];
  /** What new sessions speak. */
  readonly dialect: string;
  /** How file access is contained on this machine. */
  readonly containment: string;
  /** What the start found to put right after a crash. */
  readonly recovery: Recovery;
  /** Whether the workspace has settings of its own, and whether they count. */
  readonly projectSettings: LoadedConfig['projectState'];
  readonly settings: WorkspaceSettings;
  /** The folders that are known by an id. For people: no tool changes it. */
  readonly projectRegistry: ProjectRegistry;
  /** For who drives a model over the tools. */
  readonly agentPorts: AgentPorts;
  /** The runtime of a project in this process, over the same store and audit. Dispose it: that gives it back. */
  project(id: string): Promise<Runtime>;
  openSession(options?: SessionOptions): Promise<Session>;
  /** Ends what goes on in a session and is not kept; disposing the runtime does so for all of its sessions. */
  closeSession(session: Session): Promise<void>;
  /** Runs a tool. Never throws: look at the response's outcome. */
  call(tool: string, args: unknown, options?: CallOptions): Promise<CallResponse>;
  /** Runs a whole `ToolCallRequest`, with its ids. */
  execute(request: unknown, options?: CallOptions): Promise<CallResponse>;
  /** Cancels a call under way in this process, by its own id, or by the one that its caller gave it in a session; false where there is none. */
  cancelCall(call: { readonly id: string; readonly session?: Pick<Session, 'id'> | undefined }): boolean;
  /** The tools an agent has, with schemas, permissions and risk. */
  definitions(agent?: Agent, dialect?: string): Definition[];
  /** What would be decided about a call, and what a human would be asked, without running it. */
  approvalRequest(tool: string, args: unknown, options?: RehearsalOptions): Promise<Rehearsal>;
  /** What a session's agent means to do. */
  todos(session: Pick<Session, 'id'>): Promise<readonly TodoItem[]>;
  /** What to tell a session's agent of what was kept for it: the newest, and no more than fits. */
  memories(session: Pick<Session, 'id'>): Promise<readonly Memory[]>;
  /** Memories for people: the user's, the workspace's, and those of all its sessions. No tool reaches it. */
  readonly memory: {
    find(query?: string): Promise<readonly Memory[]>;
    get(id: string): Promise<Memory>;
    /** As it was. */
    remove(id: string, by?: string): Promise<Memory>;
  };
  /** Every skill there is, and why others do not count; for people. */
  skills(): Promise<FoundSkills>;
  /** Skills that a session's agent may load. */
  skillsFor(session: Session): Promise<readonly SkillSummary[]>;
  /**
   * Loads the skills that fit what a user wrote, at most two, but for those that are loaded already. Nobody is asked; what is
   * denied stays denied. On record.
   */
  triggerSkills(
    session: Session,
    text: string,
    loaded?: readonly string[],
  ): Promise<readonly TriggeredSkill[]>;
  /** The turns of the workspace that changed something, newest first. */
  turns(limit?: number): Promise<TurnSummary[]>;
  /** What a turn of the workspace did to each entry; none where there is no such turn. */
  turnEntries(turn: string): Promise<TurnEntry[]>;
  /** The calls that did it. */
  turnCalls(turn: string): Promise<TurnCall[]>;
  /** What it did to the content of one of them, for people: the policy is not asked whether it may be read. */
  entryDiff(turn: string, path: string): Promise<EntryDiff | undefined>;
  /** Takes turns back; what changed since is reported and left alone. For people: no tool reaches it. */
  undo(query?: TurnQuery, options?: { readonly dryRun?: boolean; readonly by?: string }): Promise<UndoReport>;
  /** The languages that servers are known for, and whether this machine has them. */
  languages(): readonly LanguageState[];
  /**
   * The policy a new session of a dialect would have, with other rules where some are given; undefined for a dialect
   * that is not known.
   */
  policyFor(dialect: string, mode?: Mode, changed?: ChangedRules): Policy | undefined;
  /** How many rules each layer has, and how many examples hold. */
  policySummary(): PolicySummary;
  /** Listens to everything that happens until the returned function is called. */
  subscribe(listener: EventListener): () => void;
  /** Hears what happens in every runtime of the process, likewise. Who only observes does not count as somebody who sees messages. */
  observe(observer: Observer): () => void;
  /** Waits until the audit is on the disk. */
  flush(): Promise<void>;
}
