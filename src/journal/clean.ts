/** Forgets what is too old or too much: turns with the contents kept for them. What undo could still need goes oldest first. */
import type { Clock, StateDirectory } from '../host/ports.ts';
import type { Database } from '../store/store.ts';
import { objectFile } from './pre-images.ts';

export interface UndoLimits {
  readonly keepMs: number;
  readonly quotaBytes: number;
  /** Contents younger than this may belong to a change that is being written down right now. */
  readonly graceMs?: number;
}

interface CleanParts {
  readonly state: StateDirectory;
  readonly database: Database;
  readonly clock: Clock;
}

const GRACE_MS = 60 * 60 * 1000;

/** Removes turns beyond the limits and the contents nobody needs any more; says how many turns went. */
export async function cleanUndo(
  parts: CleanParts,
  { keepMs, quotaBytes, graceMs = GRACE_MS }: UndoLimits,
): Promise<{ turns: number; objects: number }> {
  const { database, clock } = parts;
  const expired = await database
    .selectFrom('turns')
    .select('id')
    .where('started_at', '<', clock.now() - keepMs)
    .execute();
  for (const { id } of expired) await forgetTurn(database, id);
  let turns = expired.length;
  let objects = await removeUnneeded(parts, graceMs);
  while ((await keptBytes(database)) > quotaBytes) {
    const oldest = await database
      .selectFrom('turns')
      .select('id')
      .orderBy('started_at')
      .orderBy('id')
      .executeTakeFirst();
    if (oldest === undefined) break;
    await forgetTurn(database, oldest.id);
    turns++;
    objects += await removeUnneeded(parts, graceMs);
  }
  return { turns, objects };
}

/** How much is kept for turns that can be taken back. */
export async function keptBytes(database: Database): Promise<number> {
  const row = await database
    .selectFrom('objects')
    .select(({ fn }) => fn.sum<number | null>('bytes').as('bytes'))
    .where('hash', 'in', (query) =>
      query.selectFrom('changes').select('object').where('object', 'is not', null),
    )
    .executeTakeFirst();
  return row?.bytes ?? 0;
}

async function forgetTurn(database: Database, id: string): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('changes').where('turn', '=', id).execute();
    await transaction.deleteFrom('turns').where('id', '=', id).execute();
  });
}

async function removeUnneeded({ state, database, clock }: CleanParts, graceMs: number): Promise<number> {
  const unneeded = await database
    .deleteFrom('objects')
    .where('at', '<', clock.now() - graceMs + 1)
    .where((row) =>
      row.not(
        row.exists(row.selectFrom('changes').select('id').whereRef('changes.object', '=', 'objects.hash')),
      ),
    )
    .returning('hash')
    .execute();
  for (const { hash } of unneeded) state.remove(objectFile(hash));
  return unneeded.length;
}
