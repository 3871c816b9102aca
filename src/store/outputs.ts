/** Output that did not fit into a reply: kept for a day, for the session it belongs to. */
import { Failure } from '../failure.ts';
import type { Clock, Ids } from '../host/ports.ts';
import type { Database } from './store.ts';

const KEPT_MS = 24 * 60 * 60 * 1000;

export interface KeptOutputs {
  keep(session: string, whole: unknown[] | string): Promise<string>;
  pagesOf(session: string): { page(id: string, offset: number, limit: number): Promise<Page> };
}

interface Page {
  readonly part: readonly unknown[] | string;
  readonly total: number;
}

/** Kept outputs in the store. */
export function keptOutputs(database: Database, clock: Clock, ids: Ids): KeptOutputs {
  return {
    async keep(session, whole) {
      const id = ids.next('out');
      const at = clock.now();
      await database
        .deleteFrom('outputs')
        .where('at', '<', at - KEPT_MS)
        .execute();
      await database
        .insertInto('outputs')
        .values({ id, session, at, body: JSON.stringify(whole) })
        .execute();
      return id;
    },
    pagesOf: (session) => ({
      async page(id, offset, limit) {
        const row = await database
          .selectFrom('outputs')
          .select('body')
          .where('id', '=', id)
          .where('session', '=', session)
          .executeTakeFirst();
        if (row === undefined) {
          throw new Failure('E_NOT_FOUND', `No output ${JSON.stringify(id)} is kept for this session.`, {
            hint: 'Output is kept for a day; make the call again.',
          });
        }
        const whole = JSON.parse(row.body) as unknown[] | string;
        return { part: whole.slice(offset, offset + limit), total: whole.length };
      },
    }),
  };
}
