/** The audit's index in the store: which chains there are, how far they go, and one row a call for searching. */
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

/** Notes new records, then how far the chain goes: after an interruption between the two, both are noted again. */
export async function indexRecords(
  database: Database,
  id: string,
  records: readonly AuditRecord[],
  anchor: Anchor,
): Promise<void> {
  const rows = records.flatMap((record) => toRow(id, record));
  for (const batch of batches(rows)) {
    await database
      .insertInto('audit_calls')
      .values(batch)
      .onConflict((conflict) =>
        conflict.column('call_id').doUpdateSet((row) => ({
          outcome: row.ref('excluded.outcome'),
          error_code: row.ref('excluded.error_code'),
          decision: row.ref('excluded.decision'),
          rule: row.ref('excluded.rule'),
          duration_ms: row.ref('excluded.duration_ms'),
          about: row.ref('excluded.about'),
        })),
      )
      .execute();
    // The store works on this thread: calls that came in meanwhile have their turn.
    await new Promise(setImmediate);
  }
  await database
    .updateTable('audit_chains')
    .set({ lines: anchor.lines, bytes: anchor.bytes, head: anchor.head })
    .where('id', '=', id)
    .execute();
}

// A few milliseconds of work, and far below the 32,766 parameters that SQLite takes in a statement.
const ROWS_PER_STATEMENT = 250;

/** A call's last record alone counts: a batch must not name a row twice. */
function* batches(rows: readonly AuditCalls[]): Generator<AuditCalls[]> {
  const unique = [...new Map(rows.map((row) => [row.call_id, row])).values()];
  for (let from = 0; from < unique.length; from += ROWS_PER_STATEMENT)
    yield unique.slice(from, from + ROWS_PER_STATEMENT);
}

function toRow(chain: string, record: AuditRecord): AuditCalls[] {
  if (record.event === 'opened') return [{ ...headColumns(chain, record), ...noOutcome }];
  return record.event === 'closed' ? [{ ...headColumns(chain, record), ...outcomeColumns(record) }] : [];
}

type OutcomeColumns = Pick<
  AuditCalls,
  'outcome' | 'error_code' | 'decision' | 'rule' | 'duration_ms' | 'about'
>;

const noOutcome: OutcomeColumns = {
  outcome: null,
  error_code: null,
  decision: null,
  rule: null,
  duration_ms: null,
  about: null,
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
    about: aboutOf(record),
  };
}

const MAX_ABOUT = 300;

/** What it touched; what never got that far has nothing to be found by. */
function aboutOf({ accesses = [] }: ClosedRecord): string | null {
  const touched = new Set(accesses.map(({ resource, command }) => command?.text ?? resource));
  return touched.size === 0 ? null : [...touched].join('\n').slice(0, MAX_ABOUT);
}
