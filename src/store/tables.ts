/** The tables of the store, as kysely sees them, and the steps that lead from an empty file to them. */
import type { Generated } from 'kysely';

export interface Tables {
  audit_chains: AuditChains;
  audit_calls: AuditCalls;
  sessions: Sessions;
  recorded_calls: RecordedCalls;
  outputs: Outputs;
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
}

export interface Sessions {
  id: string;
  workspace: string;
  dialect: string;
  created_at: number;
}

/** Calls of transports that resume: what to answer when the same call comes again. */
export interface RecordedCalls {
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
  session: string;
  at: number;
  body: string;
}

/** Applied in order; the store's user_version says how many it has seen. Never edit one, add another. */
export const MIGRATIONS: readonly string[] = [
  `
  create table audit_chains (
    id text primary key, owner text, state text not null, lines integer not null, bytes integer not null, head text not null
  ) strict;
  create table audit_calls (
    call_id text primary key, chain text not null, at integer not null, session text not null, workspace text not null,
    trace_id text not null, tool_call_id text not null, dialect text not null, name text not null, version text,
    outcome text, error_code text, decision text, rule text, duration_ms real
  ) strict;
  create index audit_calls_by_time on audit_calls (workspace, at);
  create table sessions (
    id text primary key, workspace text not null, dialect text not null, created_at integer not null
  ) strict;
  create table recorded_calls (
    session text not null, tool_call_id text not null, request_hash text not null, answer text,
    ended integer not null default 0, at integer not null, primary key (session, tool_call_id)
  ) strict;
  create table outputs (
    id text primary key, session text not null, at integer not null, body text not null
  ) strict;
  create index outputs_by_time on outputs (at);
  `,
];
