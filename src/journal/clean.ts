/**
 * Forgets what is too old or too much: turns with the contents kept for them, oldest first. Contents are kept and go
 * while the store is locked, so none goes that a change relies on.
 */
import type { Clock, StateDirectory } from '../host/ports.ts';
import type { Database } from '../store/store.ts';
import { objectFile } from './kept-contents.ts';

export interface UndoLimits {
  readonly keepMs: number;
  readonly quotaBytes: number;
}

interface CleanParts {
  readonly state: StateDirectory;
  readonly database: Database;
  readonly clock: Clock;
  readonly workspace: string;
}

/**
 * Removes turns beyond the limits and the contents nobody needs any more; says how many of each went. The workspace is
 * held to its own limits, all others together to the user's, but for those whose own settings somebody trusts.
 */
export async function cleanUndo(
  parts: CleanParts,
  limits: { readonly own: UndoLimits; readonly user: UndoLimits },
): Promise<{ turns: number; objects: number }> {
  const { database, workspace } = parts;
  const found = await database
    .selectFrom('turns')
    .select('workspace')
    .distinct()
    .where('workspace', 'not in', (query) =>
      // Trusted skills and instructions set no limits.
      query.selectFrom('trust').select('workspace').where('folder', '=', '.handrail'),
    )
    .execute();
  const own = await forgetBeyond(parts, limits.own, [workspace]);
  const others = await forgetBeyond(
    parts,
    limits.user,
    found.map((row) => row.workspace),
  );
  return { turns: own + others, objects: await removeUnneeded(parts) };
}

/** Forgets every turn of every workspace and every content, also those that no change came to rely on. */
export async function forgetAllUndo({
  state,
  database,
}: Pick<CleanParts, 'state' | 'database'>): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    for (const table of ['changes', 'turns', 'objects'] as const)
      await transaction.deleteFrom(table).execute();
    for (const folder of state.list('objects'))
      for (const name of state.list(`objects/${folder}`)) state.remove(`objects/${folder}/${name}`);
  });
}

/** How much is kept for the turns of some workspaces, or of all. */
export async function keptBytes(database: Database, workspaces?: readonly string[]): Promise<number> {
  const needed = database.selectFrom('changes').select('object').where('object', 'is not', null);
  const turns = (among: readonly string[]) =>
    database.selectFrom('turns').select('id').where('workspace', 'in', among);
  const row = await database
    .selectFrom('objects')
    .select(({ fn }) => fn.sum<number | null>('bytes').as('bytes'))
    .where('hash', 'in', workspaces === undefined ? needed : needed.where('turn', 'in', turns(workspaces)))
    .executeTakeFirst();
  return row?.bytes ?? 0;
}

/** Forgets turns of some workspaces until the rest is within the limits; says how many. */
async function forgetBeyond(
  { database, clock }: CleanParts,
  { keepMs, quotaBytes }: UndoLimits,
  workspaces: readonly string[],
): Promise<number> {
  const turns = await database
    .selectFrom('turns')
    .select(['id', 'started_at'])
    .where('workspace', 'in', workspaces)
    .orderBy('started_at')
    .orderBy('id')
    .execute();
  let forgotten = 0;
  for (const { id, started_at } of turns) {
    const isExpired = started_at < clock.now() - keepMs;
    if (!isExpired && (await keptBytes(database, workspaces)) <= quotaBytes) break;
    await forgetTurn(database, id);
    forgotten++;
  }
  return forgotten;
}

async function forgetTurn(database: Database, id: string): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('changes').where('turn', '=', id).execute();
    await transaction.deleteFrom('turns').where('id', '=', id).execute();
  });
}

async function removeUnneeded({ state, database }: CleanParts): Promise<number> {
  return database.transaction().execute(async (transaction) => {
    const unneeded = await transaction
      .deleteFrom('objects')
      .where((row) =>
        row.not(
          row.exists(row.selectFrom('changes').select('id').whereRef('changes.object', '=', 'objects.hash')),
        ),
      )
      .returning('hash')
      .execute();
    for (const { hash } of unneeded) state.remove(objectFile(hash));
    return unneeded.length;
  });
}
