/** Conversations with the agent as rows: what was said, and what stands for it now. */
import type { Clock } from '../host/ports.ts';
import type { Selectable } from 'kysely';
import type { Database } from './store.ts';
import type { ConversationEntries, Conversations } from './agent-tables.ts';

export type ConversationRow = Selectable<Conversations>;
export type ConversationEntry = Pick<Selectable<ConversationEntries>, 'id' | 'turn' | 'body'>;

export interface ConversationRows {
  /** A conversation of this workspace, with everything said in it. */
  find(
    id: string,
  ): Promise<{ readonly row: ConversationRow; readonly entries: readonly ConversationEntry[] } | undefined>;
  /** Newest first. */
  list(limit: number): Promise<ConversationRow[]>;
  /** A turn begins; with the first one, the conversation does. */
  beginTurn(
    begun: Pick<ConversationRow, 'id' | 'title' | 'dialect' | 'agent' | 'model' | 'mode'>,
  ): Promise<void>;
  /** Adds what was said; gives its place among all entries. */
  append(id: string, turn: string, body: string): Promise<number>;
  /** What stands for older entries from now on. */
  shorten(id: string, to: Pick<ConversationRow, 'summary' | 'summarised' | 'pruned'>): Promise<void>;
}

/** Those of one workspace. */
export function conversationRows(database: Database, clock: Clock, workspace: string): ConversationRows {
  return {
    async find(id) {
      const row = await database
        .selectFrom('conversations')
        .selectAll()
        .where('id', '=', id)
        .where('workspace', '=', workspace)
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const entries = await database
        .selectFrom('conversation_entries')
        .select(['id', 'turn', 'body'])
        .where('conversation', '=', id)
        .orderBy('id')
        .execute();
      return { row, entries };
    },
    list: (limit) =>
      database
        .selectFrom('conversations')
        .selectAll()
        .where('workspace', '=', workspace)
        .orderBy('at', 'desc')
        .limit(limit)
        .execute(),
    async beginTurn({ id, title, ...now }) {
      const at = clock.now();
      await database
        .insertInto('conversations')
        .values({ id, title, ...now, workspace, turns: 1, at, summarised: 0, pruned: 0 })
        .onConflict((conflict) =>
          conflict.column('id').doUpdateSet((of) => ({
            ...now,
            at,
            turns: of('conversations.turns', '+', 1),
          })),
        )
        .execute();
    },
    async append(id, turn, body) {
      const { insertId } = await database
        .insertInto('conversation_entries')
        .values({ conversation: id, turn, body })
        .executeTakeFirstOrThrow();
      return Number(insertId);
    },
    async shorten(id, to) {
      await database.updateTable('conversations').set(to).where('id', '=', id).execute();
    },
  };
}
