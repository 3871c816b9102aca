/** The turns of a workspace: which there are, which count as taken back, and the undo that is under way, of which there is one. */
import { Failure } from '../failure.ts';
import type { Clock, Ids, ProcessTable } from '../host/ports.ts';
import type { Database } from '../store/store.ts';
import type { Turns } from '../store/tables.ts';

export interface TurnParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly processes: ProcessTable;
  readonly workspace: string;
}

/** Which turns. Only by its id, or that of its call, is an undo itself taken back; the other ways go on to the work before it. */
export type TurnQuery =
  | { readonly turn: string }
  | { readonly turns: readonly string[] }
  | { readonly call: string }
  | { readonly last: number }
  | { readonly since: number }
  | { readonly session: string };

export interface TurnSummary extends Omit<Turns, 'owner' | 'undoing'> {
  /** How many entries it changed. */
  readonly entries: number;
  /** The number of the process that is taking turns back in it, where one is. */
  readonly process?: number;
}

/** The turns of a workspace that changed something, newest first. */
export async function listTurns(parts: TurnParts, limit: number): Promise<TurnSummary[]> {
  const counted = await parts.database
    .selectFrom('changes')
    .select(({ fn }) => ['turn', fn.count<number>('path').distinct().as('entries')])
    .groupBy('turn')
    .execute();
  const entries = new Map(counted.map((row) => [row.turn, row.entries]));
  return (await allTurns(parts)).slice(0, limit).map(({ owner, undoing: _undoing, ...turn }) => ({
    ...turn,
    entries: entries.get(turn.id) ?? 0,
    ...(isUnderWay(parts, owner) ? { process: parts.processes.pidOf(owner) } : {}),
  }));
}

/** The turns that a query means and that can be taken back, newest first. */
export async function selectTurns(parts: TurnParts, query: TurnQuery): Promise<Turns[]> {
  const open = (await allTurns(parts)).filter(({ undone_by, ended }) => undone_by === null && ended === 1);
  if ('turn' in query) return open.filter(({ id }) => id === query.turn);
  if ('turns' in query) return open.filter(({ id }) => query.turns.includes(id));
  if ('call' in query) {
    const { database } = parts;
    const rows = await database
      .selectFrom('changes')
      .select('turn')
      .where('call_id', '=', query.call)
      .execute();
    return open.filter(({ id }) => rows.some(({ turn }) => turn === id));
  }
  const work = open.filter(({ kind }) => kind === 'work');
  if ('last' in query) return work.slice(0, query.last);
  if ('since' in query) return work.filter(({ started_at }) => started_at >= query.since);
  return work.filter(({ session }) => session === query.session);
}

/** Newest first; `undone_by` is null where the undo that took a turn back was taken back itself. */
async function allTurns({ database, workspace }: TurnParts): Promise<Turns[]> {
  const turns = await database
    .selectFrom('turns')
    .selectAll()
    .where('workspace', '=', workspace)
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  const marks = new Map(turns.map(({ id, undone_by }) => [id, undone_by]));
  const isTakenBack = (id: string): boolean => {
    const undo = marks.get(id) ?? null;
    return undo !== null && !isTakenBack(undo);
  };
  return turns.map((turn) => (isTakenBack(turn.id) ? turn : { ...turn, undone_by: null }));
}

/** The undo that a crash cut short, to be gone on with; fails while a living process is at it. */
export async function unfinishedUndo(parts: TurnParts): Promise<string | undefined> {
  const { database, workspace, processes } = parts;
  const unfinished = await database
    .selectFrom('turns')
    .select(['id', 'owner'])
    .where('workspace', '=', workspace)
    .where('kind', '=', 'undo')
    .where('ended', '=', 0)
    .executeTakeFirst();
  if (unfinished === undefined || !isUnderWay(parts, unfinished.owner)) return unfinished?.id;
  const process = processes.pidOf(unfinished.owner);
  throw new Failure('E_CONFLICT', `Process ${process} is taking turns back in this workspace.`, {
    hint: 'Wait until it is done. If it ends before, the next undo goes on with its work.',
    details: { process },
  });
}

function isUnderWay({ processes }: TurnParts, owner: string | null): owner is string {
  return owner !== null && processes.isAlive(owner);
}

/** Begins an undo, or takes over the one that was cut short: its steps so far and the rest are one turn. */
export async function beginUndo(parts: TurnParts, session: string, query: TurnQuery): Promise<string> {
  const { clock, ids, workspace, processes } = parts;
  return parts.database.transaction().execute(async (database) => {
    const unfinished = await unfinishedUndo({ ...parts, database });
    const id = unfinished ?? ids.next('turn');
    const owner = processes.self;
    const row = { id, workspace, session, kind: 'undo' as const, started_at: clock.now(), undone_by: null };
    // Later, other turns may be the last ones.
    const turns = (await selectTurns({ ...parts, database }, query)).map((turn) => turn.id);
    const undoing = JSON.stringify('call' in query ? query : { turns });
    await database
      .insertInto('turns')
      .values({ ...row, ended: 0, owner, undoing })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ owner, undoing }))
      .execute();
    return id;
  });
}

/** Ends an undo and marks what it took back; says whether it changed anything, since otherwise it is no turn. */
export async function endUndo(
  { database }: TurnParts,
  turn: string,
  takenBack: readonly string[],
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    await transaction.updateTable('turns').set({ undone_by: turn }).where('id', 'in', takenBack).execute();
    await transaction
      .updateTable('turns')
      .set({ ended: 1, owner: null, undoing: null })
      .where('id', '=', turn)
      .execute();
    return !(await forgetEmpty(transaction, turn));
  });
}

/** Lets go of an undo that failed, so that the next one goes on with it. */
export async function letGoOfUndo({ database }: TurnParts, turn: string): Promise<void> {
  await database.updateTable('turns').set({ owner: null }).where('id', '=', turn).execute();
  await forgetEmpty(database, turn);
}

/** Forgets a turn that changed nothing and that nobody is at; says whether it was one. */
export async function forgetEmpty(database: Database, turn: string): Promise<boolean> {
  const { numDeletedRows } = await database
    .deleteFrom('turns')
    .where('id', '=', turn)
    .where('owner', 'is', null)
    .where((row) =>
      row.not(row.exists(row.selectFrom('changes').select('id').whereRef('changes.turn', '=', 'turns.id'))),
    )
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
