/** The audit's index in the store: which chains there are, how far they go, and one row a call for searching. */
import { type RawBuilder, sql } from 'kysely';
import type { AuditCalls, AuditChains } from '../store/tables.ts';
import type { Database } from '../store/store.ts';
import type { AuditRecord, CallHead, ClosedRecord } from './audit-record.ts';
import { type ChainHead, emptyChain } from './chain.ts';

/** A chain starts a new file beyond this size. */
export const CHAIN_BYTES = 32 * 1024 * 1024;

/** How far a chain is known to go. */
export interface Anchor extends ChainHead {
  readonly bytes: number;
}

/** Takes an idle chain for this process, or names a new one. */
export async function claimChain(database: Database, owner: string, newId: string): Promise<AuditChains> {
  return database.transaction().execute(async (transaction) => {
    const idle = await transaction
      .selectFrom('audit_chains')
      .selectAll()
      .where('owner', 'is', null)
      .where('state', '=', 'open')
      .orderBy('id')
      .executeTakeFirst();
    if (idle !== undefined) {
      await transaction.updateTable('audit_chains').set({ owner }).where('id', '=', idle.id).execute();
      return idle;
    }
    const fresh: AuditChains = { id: newId, owner, state: 'open', bytes: 0, ...emptyChain(newId) };
    await transaction.insertInto('audit_chains').values(fresh).execute();
    return fresh;
  });
}

/** Takes a chain whose owner died; false where somebody else was quicker. */
export async function takeOver(database: Database, chain: AuditChains, owner: string): Promise<boolean> {
  const taken = await database
    .updateTable('audit_chains')
    .set({ owner })
    .where('id', '=', chain.id)
    .where('owner', 'is', chain.owner)
    .executeTakeFirst();
  return taken.numUpdatedRows === 1n;
}

/** Gives a chain back, for the next process to go on with. */
export async function releaseChain(
  database: Database,
  id: string,
  anchor: Anchor,
  state: AuditChains['state'],
): Promise<void> {
  await database
    .updateTable('audit_chains')
    .set({ owner: null, state, lines: anchor.lines, bytes: anchor.bytes, head: anchor.head })
    .where('id', '=', id)
    .execute();
}

/** Notes new records and how far the chain goes now, in one transaction. */
export async function indexRecords(
  database: Database,
  id: string,
  records: readonly AuditRecord[],
  anchor: Anchor,
): Promise<void> {
  const rows = new Map(records.flatMap((record) => toRow(id, record)).map((row) => [row.call_id, row]));
  await database.transaction().execute(async (transaction) => {
    if (rows.size > 0) await upsert([...rows.values()]).execute(transaction);
    await transaction
      .updateTable('audit_chains')
      .set({ lines: anchor.lines, bytes: anchor.bytes, head: anchor.head })
      .where('id', '=', id)
      .execute();
  });
}

const HEAD_COLUMNS = [
  'call_id',
  'chain',
  'at',
  'session',
  'workspace',
  'trace_id',
  'tool_call_id',
  'dialect',
  'name',
  'version',
] as const;
const OUTCOME_COLUMNS = ['outcome', 'error_code', 'decision', 'rule', 'duration_ms'] as const;

/** All rows as one parameter: a batch has hundreds, and this runs between calls. */
function upsert(rows: readonly AuditCalls[]): RawBuilder<unknown> {
  const columns = [...HEAD_COLUMNS, ...OUTCOME_COLUMNS];
  const values = columns.map((column) => sql`value ->> ${sql.lit(column)}`);
  const updates = OUTCOME_COLUMNS.map((column) => sql`${sql.ref(column)} = excluded.${sql.ref(column)}`);
  return sql`
    insert into audit_calls (${sql.join(columns.map((column) => sql.ref(column)))})
    select ${sql.join(values)} from json_each(${JSON.stringify(rows)}) where true
    on conflict (call_id) do update set ${sql.join(updates)}`;
}

function toRow(chain: string, record: AuditRecord): AuditCalls[] {
  if (record.event === 'opened') return [{ ...headColumns(chain, record), ...noOutcome }];
  return record.event === 'closed' ? [{ ...headColumns(chain, record), ...outcomeColumns(record) }] : [];
}

type OutcomeColumns = Pick<AuditCalls, (typeof OUTCOME_COLUMNS)[number]>;

const noOutcome: OutcomeColumns = {
  outcome: null,
  error_code: null,
  decision: null,
  rule: null,
  duration_ms: null,
};

function headColumns(
  chain: string,
  record: CallHead & { at: number },
): Omit<AuditCalls, keyof OutcomeColumns> {
  const { call_id, at, session, workspace, trace_id, tool_call_id, dialect, name, version } = record;
  return {
    call_id,
    chain,
    at,
    session,
    workspace,
    trace_id,
    tool_call_id,
    dialect,
    name,
    version: version ?? null,
  };
}

function outcomeColumns(record: ClosedRecord): OutcomeColumns {
  return {
    outcome: record.outcome,
    error_code: record.error?.code ?? null,
    decision: record.decision ?? null,
    rule: record.rule ?? null,
    duration_ms: record.duration_ms,
  };
}
