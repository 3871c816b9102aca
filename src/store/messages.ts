/** What agents showed their users, for those who look from another process. Kept for a day. */
import type { Clock } from '../host/ports.ts';
import type { DisplayMessage } from '../runtime/people.ts';
import type { Database } from './store.ts';

export interface KeptMessage {
  readonly id: number;
  readonly session: string;
  readonly at: number;
  readonly message: DisplayMessage;
}

export interface MessageRows {
  keep(workspace: string, session: string, message: DisplayMessage): Promise<void>;
  /** Newest first. */
  list(workspace: string, limit: number): Promise<KeptMessage[]>;
}

const KEPT_MS = 24 * 60 * 60 * 1000;

/** The messages in the store. */
export function messageRows(database: Database, clock: Clock): MessageRows {
  return {
    async keep(workspace, session, message) {
      const at = clock.now();
      await database
        .deleteFrom('messages')
        .where('at', '<', at - KEPT_MS)
        .execute();
      const row = { workspace, session, at, message: JSON.stringify(message) };
      await database.insertInto('messages').values(row).execute();
    },
    async list(workspace, limit) {
      const rows = await database
        .selectFrom('messages')
        .select(['id', 'session', 'at', 'message'])
        .where('workspace', '=', workspace)
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
      return rows.map(({ message, ...row }) => ({ ...row, message: JSON.parse(message) as DisplayMessage }));
    },
  };
}
