/** Lists of things to do, a row a session, so that a session that goes on later finds its own. */
import type { Clock } from '../host/ports.ts';
import type { TodoItem, TodoLists } from '../runtime/todos.ts';
import type { Database } from './store.ts';

const KEPT_MS = 90 * 24 * 60 * 60 * 1000;

/** The lists of a workspace; an id of a session may be another one's elsewhere. */
export function todoLists({ database, clock, workspace }: TodoParts): TodoLists {
  return {
    async read(session) {
      const row = await database
        .selectFrom('todo_lists')
        .select('items')
        .where('workspace', '=', workspace)
        .where('session', '=', session)
        .executeTakeFirst();
      return row === undefined ? [] : (JSON.parse(row.items) as TodoItem[]);
    },
    async replace(session, items) {
      const at = clock.now();
      const row = { workspace, session, items: JSON.stringify(items), at };
      await database
        .insertInto('todo_lists')
        .values(row)
        .onConflict((conflict) => conflict.columns(['workspace', 'session']).doUpdateSet(row))
        .execute();
      await database
        .deleteFrom('todo_lists')
        .where('at', '<', at - KEPT_MS)
        .execute();
    },
  };
}

export interface TodoParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly workspace: string;
}
