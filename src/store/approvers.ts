/** Who is there to answer questions: a row a process, counted only while the process lives. */
import type { Clock, ProcessTable } from '../host/ports.ts';
import type { Database } from './store.ts';

/** The kind of those who also see what agents show. */
export const PAGE = 'page';

/** Says that this process answers questions, until it is disposed. */
export async function beApprover(
  database: Database,
  clock: Clock,
  { self }: ProcessTable,
  kind: string,
): Promise<AsyncDisposable> {
  const row = { owner: self, kind, at: clock.now() };
  await database
    .insertInto('approvers')
    .values(row)
    .onConflict((conflict) => conflict.column('owner').doUpdateSet(row))
    .execute();
  return {
    async [Symbol.asyncDispose]() {
      await database.deleteFrom('approvers').where('owner', '=', self).execute();
    },
  };
}

/** Whether any living process answers questions, or one of a kind does. */
export async function isAnyoneThere(
  database: Database,
  processes: ProcessTable,
  kind?: string,
): Promise<boolean> {
  const rows = await database
    .selectFrom('approvers')
    .select('owner')
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind!))
    .execute();
  return rows.some(({ owner }) => processes.isAlive(owner));
}
