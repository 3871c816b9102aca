/** Reads the audit: lists and counts calls from the index, shows a call's lines, verifies the chains. Changes nothing. */
import type { ProcessTable, StateDirectory } from '../host/ports.ts';
import type { Database } from '../store/store.ts';
import type { AuditCalls } from '../store/tables.ts';
import { type CallCounts, countCalls, type CountQuery } from './audit-counts.ts';
import { chainFile } from './audit-log.ts';
import { type AuditQuery, findCalls } from './audit-query.ts';
import type { AuditLine, ClosedRecord } from './audit-record.ts';
import { type ChainReport, verifyAudit } from './verify.ts';

export interface AuditReader {
  /** The newest calls first. */
  list(query: AuditQuery): Promise<AuditCalls[]>;
  counts(query: CountQuery): Promise<CallCounts[]>;
  /** All lines of a call; undefined where it is not known. */
  show(callId: string): Promise<AuditLine[] | undefined>;
  /** The closing lines of a workspace's calls, or of its newest ones, chain by chain. */
  closed(workspace: string, newest?: number): AsyncIterable<ClosedRecord>;
  /** Every line as it stands, chain by chain. */
  allLines(): AsyncIterable<string>;
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
    list: (query) => findCalls(database, query),
    counts: (query) => countCalls(database, query),
    async show(callId) {
      const row = await database
        .selectFrom('audit_calls')
        .select(['call_id', 'chain'])
        .where('call_id', '=', callId)
        .executeTakeFirst();
      return row === undefined ? undefined : linesOf(state, row.chain, row.call_id);
    },
    closed: (workspace, newest) => closedLines(parts, workspace, newest),
    allLines: () => allLines(parts),
    verify: () => verifyAudit(parts),
  };
}

async function linesOf(state: StateDirectory, chain: string, callId: string): Promise<AuditLine[]> {
  const found: AuditLine[] = [];
  for await (const text of wholeLines(state, chain)) {
    // Most lines are about other calls; only those that name this one are read as JSON.
    if (!text.includes(callId)) continue;
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
  for (const chain of wanted?.keys() ?? (await chainIds(database))) {
    const calls = wanted?.get(chain);
    for await (const text of wholeLines(state, chain)) {
      if (!text.includes('"event":"closed"')) continue;
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
  const ids = Map.groupBy(await findCalls(database, { workspace, limit }), ({ chain }) => chain);
  return new Map([...ids].map(([chain, calls]) => [chain, new Set(calls.map(({ call_id }) => call_id))]));
}

async function* allLines({ state, database }: ReaderParts): AsyncGenerator<string> {
  for (const chain of await chainIds(database)) yield* wholeLines(state, chain);
}

async function chainIds(database: Database): Promise<string[]> {
  const chains = await database.selectFrom('audit_chains').select('id').orderBy('id').execute();
  return chains.map(({ id }) => id);
}

/** A line that is being written, or was cut off, is left out. */
async function* wholeLines(state: StateDirectory, chain: string): AsyncGenerator<string> {
  if (!state.exists(chainFile(chain))) return;
  for await (const { text, torn } of state.lines(chainFile(chain))) if (!torn) yield text;
}
