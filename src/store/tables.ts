/** The tables of the store, as kysely sees them. */
import type { Generated, Selectable } from 'kysely';
import type { Conversations, ConversationEntries, Memories, TodoLists } from './agent-tables.ts';
import type { Section } from './section.ts';

export interface Tables {
  audit_chains: AuditChains;
  audit_calls: AuditCalls;
  sessions: Sessions;
  recorded_calls: RecordedCalls;
  outputs: Outputs;
  turns: Turns;
  changes: Changes;
  objects: Objects;
  trust: Trust;
  approvals: Approvals;
  approvers: Approvers;
  messages: Messages;
  path_locks: PathLocks;
  takeovers: Takeovers;
  previews: Previews;
  processes: Processes;
  supervisors: Supervisors;
  todo_lists: TodoLists;
  projects: Projects;
  conversations: Conversations;
  conversation_entries: ConversationEntries;
  memories: Memories;
  sections: Sections;
}

/** One hash-chained audit file, and how far it is known to go. */
export interface AuditChains {
  id: string;
  /** The process that writes to it; null while nobody does. */
  owner: string | null;
  state: 'open' | 'full' | 'damaged';
  lines: number;
  bytes: number;
  head: string;
}

/** The index of the audit: one row a call. */
export interface AuditCalls {
  call_id: string;
  chain: string;
  at: number;
  session: string;
  workspace: string;
  trace_id: string;
  tool_call_id: string;
  dialect: string;
  name: string;
  version: string | null;
  outcome: string | null;
  error_code: string | null;
  decision: string | null;
  rule: string | null;
  duration_ms: number | null;
  /** The beginning of what it touched, without secrets: for people who look for it. */
  about: string | null;
}

export interface Sessions {
  id: string;
  workspace: string;
  dialect: string;
  created_at: number;
  /** The process that it is open in; null where it was closed. */
  owner: string | null;
  /** What its agent is called. */
  agent: string | null;
  /** What was chosen for it, as JSON; null where nothing was. */
  chosen: string | null;
}

/** How often a part of the store was written to. */
export interface Sections {
  name: Section;
  writes: number;
}

/** Calls of transports that resume: what to answer when the same call comes again. */
export interface RecordedCalls {
  workspace: string;
  session: string;
  tool_call_id: string;
  request_hash: string;
  /** Null while it runs, and where the answer could not be kept. */
  answer: string | null;
  ended: Generated<number>;
  at: number;
}

/** Output that did not fit into a reply, kept for paging. */
export interface Outputs {
  id: string;
  workspace: string;
  session: string;
  at: number;
  body: string;
}

/** What an agent did between two messages of its user, or an undo of such: the unit of undo. */
export interface Turns {
  id: string;
  workspace: string;
  session: string;
  kind: 'work' | 'undo';
  started_at: number;
  /** False while an undo is under way: one that was cut short is gone on with. */
  ended: number;
  /** The undo that took it back; it counts while that undo has not been taken back itself. */
  undone_by: string | null;
  /** The process that takes turns back in it right now. */
  owner: string | null;
  /** JSON of what an undo that is under way takes back, for who goes on with it. */
  undoing: string | null;
}

/** Something that an agent showed its user. */
export interface Messages {
  id: Generated<number>;
  workspace: string;
  session: string;
  at: number;
  /** JSON of a `DisplayMessage`, without secrets. */
  message: string;
}

/** One entry of a workspace before and after a change; written before the change is made. */
export interface Changes {
  id: Generated<number>;
  turn: string;
  call_id: string;
  path: string;
  /** JSON of an `EntryState`. */
  before: string;
  after: string;
  /** The content that undo needs; null where there is none, or where it was not kept. */
  object: string | null;
  at: number;
}

/** A change as it is read. */
export type Change = Selectable<Changes>;

/** Contents kept for undo, by hash; the files lie in the state folder. */
export interface Objects {
  hash: string;
  bytes: number;
}

/** What a command would change, kept for who wants it to; its view outlives the process that made it. */
export interface Previews {
  /** The id of the changes. */
  id: string;
  workspace: string;
  session: string;
  /** Without secrets. */
  command: string;
  started_at: number;
  expires_at: number;
  /** The call that waits for an answer about it; null where it was made to be looked at. */
  call_hash: string | null;
  /** What that call would reply, where it holds no secret. */
  output: string | null;
}

/** A command's changes that are being taken over from its view; one whose process is gone is gone on with. */
export interface Takeovers {
  /** The id of the changes. */
  id: string;
  workspace: string;
  turn: string;
  call_id: string;
  /** As people may read it. */
  command: string;
  /** Their rows in `changes`. */
  first_row: number;
  last_row: number;
  /** The process that is at it. */
  owner: string;
}

/** A folder of a workspace that a person trusted, its settings or its skills, by the hash of its content. */
export interface Trust {
  workspace: string;
  folder: string;
  hash: string;
  at: number;
}

/** A question to people and its answer. */
export interface Approvals {
  id: string;
  /** Of the resolved call; an answer counts for nothing else. */
  hash: string;
  workspace: string;
  session: string;
  /** The process that waits for the answer. */
  owner: string;
  /** JSON of the `ApprovalRequest`, tokens masked; empty once it is used or expired, as is the answer. */
  request: string;
  state: 'pending' | 'answered' | 'used' | 'expired';
  /** JSON of the `ApprovalAnswer`. */
  answer: string | null;
  created_at: number;
  expires_at: number;
}

/** Who is there to answer; a row is gone with its process. */
export interface Approvers {
  owner: string;
  kind: string;
  at: number;
}

/** Paths that somebody is writing to; a row is gone with its process. */
export interface PathLocks {
  workspace: string;
  path: string;
  owner: string;
}

/** A process that goes on after the call that started it; kept for a while after its end. */
export interface Processes {
  id: string;
  name: string | null;
  workspace: string;
  session: string;
  /** The process whose call started it. */
  owner: string;
  /** The process that it dies with. */
  supervisor: string;
  command: string;
  directory: string;
  kept: number;
  started_at: number;
  /** Null until it runs, as is what follows. */
  pid: number | null;
  identity: string | null;
  tier: string | null;
  /** The identity of who holds the network it is in, a blank, and the network's name. */
  network: string | null;
  ended_at: number | null;
  ended_by: string | null;
  exit_code: number | null;
  /** JSON of the hosts it reached. */
  hosts: string | null;
}

/** Who watches over processes, and where it can be spoken to; a row is gone with its process. */
export interface Supervisors {
  slot: number;
  owner: string;
  socket: string;
}

/** Folders that are known by an id. */
export interface Projects {
  id: string;
  name: string;
  root: string;
  /** JSON of `ProjectSettings`. */
  settings: string;
  added_at: number;
}
