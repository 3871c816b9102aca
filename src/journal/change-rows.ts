/** The rows of changes, as undo reads them: written in one transaction before the changes are made, however many they are. */
import type { EntryState } from '../host/entry-state.ts';
import type { Clock } from '../host/ports.ts';
import type { Database } from '../store/store.ts';
import type { Kept } from './kept-contents.ts';
import { forgetEmpty } from './turns.ts';

/** Whose change it is. */
export interface ChangeOwner {
  readonly turn: string;
  readonly callId: string;
  readonly session: string;
}

/** A change of one entry, and the content that it would lose. */
export interface RecordedChange {
  readonly path: string;
  readonly before: EntryState;
  readonly after: EntryState;
  readonly kept: Kept | undefined;
}

/** What a call changed, and whether undo can take it back. */
export interface ChangeEffect {
  readonly path: string;
  readonly change: 'created' | 'updated' | 'deleted';
  readonly reversible: boolean;
}

/** What is said of a change. */
export function toEffect({ path, before, after, kept }: RecordedChange): ChangeEffect {
  const isKept = before.kind !== 'other' && (!losesContent(before, after) || kept !== undefined);
  const change = before.kind === 'missing' ? 'created' : after.kind === 'missing' ? 'deleted' : 'updated';
  return { path, change, reversible: isKept };
}

/** Whether the content of a file will not be there any more. */
export function losesContent(before: EntryState, after: EntryState): boolean {
  return before.kind === 'file' && !(after.kind === 'file' && after.hash === before.hash);
}

interface RowParts {
  readonly clock: Clock;
  readonly workspace: string;
}

/** More at once are too many parameters for a statement. */
const BATCH = 500;

/** Writes changes down in a transaction; returns the ids of their rows and the turn that they came to be part of. */
export async function insertChanges(
  transaction: Database,
  { clock, workspace }: RowParts,
  owner: ChangeOwner,
  changes: readonly RecordedChange[],
): Promise<{ readonly turn: string; readonly rows: number[] }> {
  const at = clock.now();
  const { session, callId: call_id } = owner;
  const turn = await turnFor(transaction, workspace, owner);
  const work = {
    kind: 'work' as const,
    started_at: at,
    ended: 1,
    undone_by: null,
    owner: null,
    undoing: null,
  };
  await transaction
    .insertInto('turns')
    .values({ id: turn, workspace, session, ...work })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const rows: number[] = [];
  for (let start = 0; start < changes.length; start += BATCH) {
    const batch = changes.slice(start, start + BATCH);
    await insertObjects(transaction, batch);
    const values = batch.map(({ path, before, after, kept }) => {
      const states = { before: JSON.stringify(before), after: JSON.stringify(after) };
      return { turn, call_id, path, object: kept?.hash ?? null, at, ...states };
    });
    const inserted = await transaction.insertInto('changes').values(values).returning('id').execute();
    // Rows get their ids in the order they are written in, which is not said of the order they come back in.
    rows.push(...inserted.map(({ id }) => id).sort((one, other) => one - other));
  }
  return { turn, rows };
}

async function insertObjects(transaction: Database, changes: readonly RecordedChange[]): Promise<void> {
  const objects = new Map<string, Kept>();
  for (const { kept } of changes) if (kept !== undefined) objects.set(kept.hash, kept);
  if (objects.size === 0) return;
  // Who cleans up locks the store as well: what it took away since is written again.
  for (const kept of objects.values()) await kept.write();
  await transaction
    .insertInto('objects')
    .values([...objects.values()].map(({ hash, bytes }) => ({ hash, bytes })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** A turn that was taken back, or is somebody else's, takes nothing more in: the call is then a turn of its own. */
async function turnFor(
  database: Database,
  workspace: string,
  { turn, callId, session }: ChangeOwner,
): Promise<string> {
  const known = await database.selectFrom('turns').selectAll().where('id', '=', turn).executeTakeFirst();
  if (known === undefined) return turn;
  const isOurs = known.workspace === workspace && (known.kind === 'undo' || known.session === session);
  return isOurs && known.undone_by === null ? turn : `${turn}/${callId}`;
}

/** Forgets changes that did not happen after all, and their turn where it holds no others. */
export async function forgetChanges(
  database: Database,
  turn: string,
  rows: readonly number[],
): Promise<void> {
  for (let start = 0; start < rows.length; start += BATCH)
    await database
      .deleteFrom('changes')
      .where('id', 'in', rows.slice(start, start + BATCH))
      .execute();
  await forgetEmpty(database, turn);
}
