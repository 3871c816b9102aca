/** Questions to people as rows, so that any process can answer them and none is lost with the one that asked. */
import type { Clock } from '../host/ports.ts';
import type { ApprovalAnswer, ApprovalRequest } from '../policy/approvals.ts';
import type { Database } from './store.ts';
import type { Approvals as ApprovalRow } from './tables.ts';

export interface ApprovalRows {
  /** Opens a question; one about the same call that is open already is gone on with. Returns its id. */
  open(request: ApprovalRequest, workspace: string, expiresAt: number): Promise<string>;
  /** Takes the answer to this very call, once; undefined where there is none. */
  take(hash: string, workspace: string, session: string): Promise<ApprovalAnswer | undefined>;
  /** Answers an open question; false where it is not open any more. The first answer wins. */
  answer(id: string, answer: ApprovalAnswer): Promise<boolean>;
  pending(workspace?: string): Promise<ApprovalRow[]>;
  find(id: string): Promise<ApprovalRow | undefined>;
  /** Closes a question that nobody answered in time. */
  expire(id: string): Promise<void>;
}

const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/** The questions in the store. */
export function approvalRows(database: Database, clock: Clock): ApprovalRows {
  return {
    async open(request, workspace, expiresAt) {
      const { hash, session } = request;
      const now = clock.now();
      await database
        .deleteFrom('approvals')
        .where('created_at', '<', now - KEPT_MS)
        .execute();
      return database.transaction().execute(async (transaction) => {
        const known = await transaction
          .selectFrom('approvals')
          .select('id')
          .where('hash', '=', hash)
          .where('workspace', '=', workspace)
          .where('session', '=', session)
          .where('state', '=', 'pending')
          .where('expires_at', '>', now)
          .executeTakeFirst();
        if (known !== undefined) return known.id;
        const row = { id: request.id, hash, workspace, session, request: JSON.stringify(request) };
        await transaction
          .insertInto('approvals')
          .values({ ...row, state: 'pending', answer: null, created_at: now, expires_at: expiresAt })
          .execute();
        return request.id;
      });
    },
    async take(hash, workspace, session) {
      const row = await database
        .updateTable('approvals')
        // What was shown is not needed any more, and may hold what nobody should find later.
        .set({ state: 'used', request: '{}' })
        .where('id', 'in', (query) =>
          query
            .selectFrom('approvals')
            .select('id')
            .where('hash', '=', hash)
            .where('workspace', '=', workspace)
            .where('session', '=', session)
            .where('state', '=', 'answered')
            .where('expires_at', '>', clock.now())
            .orderBy('created_at')
            .limit(1),
        )
        .where('state', '=', 'answered')
        .returning('answer')
        .executeTakeFirst();
      const answer = row?.answer ?? undefined;
      return answer === undefined ? undefined : (JSON.parse(answer) as ApprovalAnswer);
    },
    async answer(id, answer) {
      const { numUpdatedRows } = await database
        .updateTable('approvals')
        .set({ state: 'answered', answer: JSON.stringify(answer) })
        .where('id', '=', id)
        .where('state', '=', 'pending')
        .where('expires_at', '>', clock.now())
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
    pending: (workspace) =>
      database
        .selectFrom('approvals')
        .selectAll()
        .where('state', '=', 'pending')
        .where('expires_at', '>', clock.now())
        .$if(workspace !== undefined, (query) => query.where('workspace', '=', workspace!))
        .orderBy('created_at')
        .execute(),
    find: (id) => database.selectFrom('approvals').selectAll().where('id', '=', id).executeTakeFirst(),
    async expire(id) {
      await database
        .updateTable('approvals')
        .set({ state: 'expired', request: '{}' })
        .where('id', '=', id)
        .where('state', '=', 'pending')
        .execute();
    },
  };
}
