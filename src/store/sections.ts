/** What of the store people and agents look at, and how often each part of it was written to, by whatever process. */
import type { Database } from './store.ts';

/** A part of what there is to see; the triggers that count are in the migrations. */
export type Section =
  | 'approvals'
  | 'calls'
  | 'turns'
  | 'messages'
  | 'processes'
  | 'sessions'
  | 'todos'
  | 'projects'
  | 'memory'
  | 'conversations'
  | 'trust';

/** How often each was written to. */
export async function sectionWrites(database: Database): Promise<ReadonlyMap<Section, number>> {
  const rows = await database.selectFrom('sections').selectAll().execute();
  return new Map(rows.map(({ name, writes }) => [name, writes]));
}
