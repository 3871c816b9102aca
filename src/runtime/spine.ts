/** The words of a call: what comes in, what goes out, and what it needs from the runtime around it. */
import type { BackgroundProcesses, CodeIndex, FileNotice, Host, LanguageServers } from '../host/ports.ts';
import type { AuditLog } from '../journal/audit-log.ts';
import type { ChangeEffect, ChangeOwner } from '../journal/change-rows.ts';
import type { ChangeRecorder } from '../journal/pre-images.ts';
import type { Permission, ResolvedAccess } from '../policy/access.ts';
import type { ApprovalRequest, Approver } from '../policy/approvals.ts';
import type { Decision, Policy, PolicyCall } from '../policy/decide.ts';
import type { Rule } from '../policy/rule.ts';
import type { Previews } from '../journal/previews.ts';
import type { Compare } from './change-summary.ts';
import type { ToolCallResult } from './envelope.ts';
import type { EventListener, Events } from './events.ts';
import type { MemoryStore } from './memories.ts';
import type { EditSettings, OutputPages, Preview } from './operation.ts';
import type { DisplayMessage, Prompter } from './people.ts';
import type { RunningCalls } from './running-calls.ts';
import type { CommandSettings } from './scoped-commands.ts';
import type { Place } from './place-call.ts';
import type { Session } from './session.ts';
import type { SkillShelf } from './skills.ts';
import type { TodoLists } from './todos.ts';
import type { SubAgents } from './sub-agents.ts';
import type { TraceContext } from './trace-context.ts';
import type { Workspace } from './workspace.ts';

/** What a transport hands over. */
export interface CallRequest {
  readonly tool: string;
  readonly args: unknown;
  readonly version?: string | undefined;
  /** The caller's own id for the call. */
  readonly id?: string | undefined;
  readonly traceId?: string | undefined;
  /** The trace that the caller is in; without one, what is around counts. */
  readonly trace?: TraceContext | undefined;
  readonly turn?: string | undefined;
  readonly requestedPermissions?: readonly Permission[] | undefined;
  readonly requiresApproval?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Answers this call's question, in place of the runtime's own approver. */
  readonly approve?: Approver | undefined;
  /** Answers this call's questions to the user, in place of the runtime's own prompter. */
  readonly prompt?: Prompter | undefined;
  /** Whether the caller waits for as long as its question is open; true by default. */
  readonly canWait?: boolean | undefined;
  /** Done right before something may change; where it fails, nothing runs. */
  readonly begin?: (() => Promise<void>) | undefined;
  /** Hears what happens in this call. */
  readonly listener?: EventListener | undefined;
}

/** What a transport gets back. */
export interface CallResponse {
  readonly callId: string;
  readonly turn: string;
  readonly outcome: Outcome;
  /** The envelope, the same for every dialect. */
  readonly result: ToolCallResult;
  /** The tool's own result, as its `returns` says; absent where the call is not ok. */
  readonly rendered?: unknown;
  /** What the session's dialect says. */
  readonly reply: unknown;
  /** What was changed, and whether undo can take it back. */
  readonly effects: readonly ChangeEffect[];
  /** The span of the call, or of its caller where nobody records; absent where it is in no trace. */
  readonly traceparent?: string | undefined;
}

/** How a call ended. */
export type Outcome = 'ok' | 'failed' | 'denied' | 'cancelled';

/** What a call needs from the runtime around it. */
export interface Spine {
  readonly host: Host;
  readonly workspace: Workspace;
  readonly audit: AuditLog;
  readonly events: Events;
  readonly running: RunningCalls;
  /** Who answers a call's question: its own approver, the runtime's where it has none, or anybody else. */
  approverFor(request: Pick<CallRequest, 'approve' | 'canWait'>): Approver;
  /** Who answers what an agent asks its user: likewise. */
  prompterFor(request: Pick<CallRequest, 'prompt' | 'canWait'>): Prompter;
  /** How long a question stays open, whoever asks it. */
  readonly approvalTimeoutMs: number;
  /** Keeps a message for who looks from elsewhere; says whether anybody does. */
  show(message: DisplayMessage, session: string): Promise<boolean>;
  readonly outputs: Outputs;
  readonly locks: Locks;
  readonly todos: TodoLists;
  readonly memories: MemoryStore;
  readonly skills: SkillShelf;
  languages(): LanguageServers;
  readonly codeIndex: CodeIndex;
  /** Files were changed; whoever keeps something about them is told. */
  noticed(changes: readonly FileNotice[]): void;
  readonly edits: EditSettings;
  readonly commands: CommandSettings;
  readonly background: BackgroundProcesses;
  /** Whether background processes outlive the runtime, whatever their callers say. */
  readonly keepsProcesses: boolean;
  /** Keys of search engines, by the variable that holds each. */
  readonly searchKeys: Readonly<Record<string, string>>;
  /** Who works on tasks that calls hand over. */
  readonly subAgents: SubAgents;
  policyFor(session: Session): Policy;
  /** The place of a session in a project, its own or another; disposing it ends the visit. */
  enter(project: string, session: Session): Promise<Place & Disposable>;
  /** The rule that would let such a call pass from now on; undefined where none would count, or be written. */
  alwaysRule(call: PolicyCall, session: Session): Rule | undefined;
  /** Writes that rule down; gives the reason where it can't. */
  remember(rule: Rule): string | undefined;
  /** Keeps what undo needs of one call. */
  recordChanges(owner: ChangeOwner): ChangeRecorder;
  /** Commands that were tried, and are not taken over yet. */
  readonly previews: Previews;
  /** Compares two contents of a file; undefined where one is no text. */
  readonly compare: Compare;
  /** Whether an entry is what a call made of it last. */
  isOwnWrite(path: string): Promise<boolean>;
  /** Whether undo could give back all there is at a resolved path. */
  canKeep(path: string): Promise<boolean>;
}

/** One writer at a time for every path. */
export interface Locks {
  hold(workspace: string, paths: readonly string[], signal: AbortSignal): Promise<AsyncDisposable>;
}

/** Where output goes that does not fit into a reply. */
export interface Outputs {
  keep(session: string, whole: unknown[] | string): Promise<string>;
  /** For output that is still being written. */
  spool(session: string): Spool;
  pagesOf(session: string): OutputPages;
}

/** The whole of an output while it comes in; in the end it is kept or dropped. */
export interface Spool {
  write(bytes: Uint8Array): void;
  keep(): Promise<{ id: string; isWhole: boolean }>;
  drop(): Promise<void>;
}

/** What would be decided about a call. */
export interface Rehearsal {
  readonly decision: Decision;
  /** What the call would touch. */
  readonly accesses: readonly ResolvedAccess[];
  /** What it would change, where it changes something and is not denied. */
  readonly preview?: Preview | undefined;
  /** What a human would be asked, where one would be. */
  readonly request?: ApprovalRequest;
}
