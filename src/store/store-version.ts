/** A cheap way to see that something in the store has changed, whoever changed it. */
import { sql } from 'kysely';
import type { Database } from './store.ts';

/** Differs from the last one whenever another process, or this one, has written since. */
export async function storeVersion(database: Database): Promise<string> {
  const { rows } = await sql<{
    others: number;
    own: number;
  }>`select data_version as others, total_changes() as own from pragma_data_version`.execute(database);
  const [{ others, own } = { others: 0, own: 0 }] = rows;
  return `${others}.${own}`;
}
