/** How often each part of the store was written to, by whatever process. */
import type { Section } from './section.ts';
import type { Database } from './store.ts';

/** The counts. */
export async function sectionWrites(database: Database): Promise<ReadonlyMap<Section, number>> {
  const rows = await database.selectFrom('sections').selectAll().execute();
  return new Map(rows.map(({ name, writes }) => [name, writes]));
}
