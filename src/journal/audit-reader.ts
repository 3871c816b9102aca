/** Reads the audit: lists calls from the index, shows a call's lines, verifies the chains. Changes nothing. */
import { sql } from 'kysely';
import type { ProcessTable, StateDirectory } from '../host/ports.ts';
import type { Database } from '../store/store.ts';
import type { AuditCalls } from '../store/tables.ts';
import { chainFile } from './audit-log.ts';
import type { AuditLine, ClosedRecord } from './audit-record.ts';
import { type ChainReport, verifyAudit } from './verify.ts';

export interface AuditReader {
  /** The newest calls first. */
  list(query: { readonly workspace?: string | undefined; readonly limit: number }): Promise<AuditCalls[]>;
  /** All lines of a call; undefined where it is not known. */
  show(callId: string): Promise<AuditLine[] | undefined>;
  /** The closing lines of a workspace's calls, or of its newest ones, chain by chain. */
  closed(workspace: string, newest?: number): AsyncIterable<ClosedRecord>;
  verify(): Promise<ChainReport[]>;
}

interface ReaderParts {
  readonly state: StateDirectory;
  readonly database: Database;
  readonly processes: ProcessTable;
}

/** A reader over the state folder. */
export function auditReader(parts: ReaderParts): AuditReader {
  const { state, database } = parts;
  return {
    list: ({ workspace, limit }) =>
      database
        .selectFrom('audit_calls')
        .selectAll()
        .$if(workspace !== undefined, (query) => query.where('workspace', '=', workspace!))
        .orderBy('at', 'desc')
        .orderBy(sql`rowid`, 'desc')
        .limit(limit)
        .execute(),
    async show(callId) {
      const row = await database
        .selectFrom('audit_calls')
        .select(['call_id', 'chain'])
        .where('call_id', '=', callId)
        .executeTakeFirst();
      return row === undefined ? undefined : linesOf(state, row.chain, row.call_id);
    },
    closed: (workspace, newest) => closedLines(parts, workspace, newest),
    verify: () => verifyAudit(parts),
  };
}

async function linesOf(state: StateDirectory, chain: string, callId: string): Promise<AuditLine[]> {
  const found: AuditLine[] = [];
  for await (const { text, torn } of state.lines(chainFile(chain))) {
    // Most lines are about other calls; only those that name this one are read as JSON.
    if (torn || !text.includes(callId)) continue;
    const line = JSON.parse(text) as AuditLine;
    if ('call_id' in line && line.call_id === callId) found.push(line);
  }
  return found;
}

async function* closedLines(
  { state, database }: ReaderParts,
  workspace: string,
  newest?: number,
): AsyncGenerator<ClosedRecord> {
  const wanted = newest === undefined ? undefined : await newestCalls(database, workspace, newest);
  const chains = await database.selectFrom('audit_chains').select('id').orderBy('id').execute();
  for (const { id } of chains) {
    const calls = wanted?.get(id);
    if ((wanted !== undefined && calls === undefined) || !state.exists(chainFile(id))) continue;
    for await (const { text, torn } of state.lines(chainFile(id))) {
      if (torn || !text.includes('"event":"closed"')) continue;
      const line = JSON.parse(text) as AuditLine;
      if (line.event !== 'closed' || line.workspace !== workspace) continue;
      if (calls?.has(line.call_id) !== false) yield line;
    }
  }
}

/** Which they are, by the chain that each is in. */
async function newestCalls(
  database: Database,
  workspace: string,
  limit: number,
): Promise<Map<string, Set<string>>> {
  const rows = await database
    .selectFrom('audit_calls')
    .select(['call_id', 'chain'])
    .where('workspace', '=', workspace)
    .orderBy('at', 'desc')
    .orderBy(sql`rowid`, 'desc')
    .limit(limit)
    .execute();
  const ids = Map.groupBy(rows, ({ chain }) => chain);
  return new Map([...ids].map(([chain, calls]) => [chain, new Set(calls.map(({ call_id }) => call_id))]));
}
