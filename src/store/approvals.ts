/**
 * Questions to people as rows, about permission or of agents, so that any process can answer them and none is lost with the one that asked. Each
 * call has a question of its own; one that was left, or whose process died, is handed on to the next call that is the same.
 */
import type { Clock, ProcessTable } from '../host/ports.ts';
import type { AnyAnswer, AnyQuestion } from '../runtime/any-question.ts';
import type { Database } from './store.ts';
import type { Approvals as ApprovalRow } from './tables.ts';

/** The rows, for who asks and answers questions of one kind, or of any. */
export interface ApprovalRows<Question extends AnyQuestion = AnyQuestion, Answer = AnyAnswer> {
  /** Opens a question, or goes on with the open one that the same call left. Returns its id. */
  open(question: Question, workspace: string, expiresAt: number): Promise<string>;
  /** Takes the answer to a question, once; undefined where there is none. */
  take(id: string): Promise<Answer | undefined>;
  /** Takes the answer that the same call did not wait for, once. */
  takeLeft(question: Question, workspace: string): Promise<Answer | undefined>;
  /** Answers an open question; false where it is not open any more. The first answer wins. */
  answer(id: string, answer: Answer): Promise<boolean>;
  pending(workspace?: string): Promise<ApprovalRow[]>;
  find(id: string): Promise<ApprovalRow | undefined>;
  /** Leaves an open question to the next call that is the same; false where it is not open any more. */
  leave(id: string): Promise<boolean>;
  /** Closes a question that this process waited for, answered or not. */
  expire(id: string): Promise<void>;
}

const KEPT_MS = 30 * 24 * 60 * 60 * 1000;
/** No process: the owner of a question that was left. */
const NOBODY = '';
/** What was shown and answered is not needed any more, and may hold what nobody should find later. */
const EMPTIED = { request: '{}', answer: null };

/** The questions in the store. */
export function approvalRows<Question extends AnyQuestion = AnyQuestion, Answer = AnyAnswer>(
  database: Database,
  clock: Clock,
  processes: ProcessTable,
): ApprovalRows<Question, Answer> {
  const rows: ApprovalRows<Question, Answer> = {
    async open(question, workspace, expiresAt) {
      const now = clock.now();
      await forgetOld(database, now);
      for (const { id, owner } of await left('pending', question, workspace)) {
        const { numUpdatedRows } = await database
          .updateTable('approvals')
          // What there is to see is the same, and so is the id: who has it in hand can still answer.
          .set({ owner: processes.self, request: JSON.stringify({ ...question, id }), expires_at: expiresAt })
          .where('id', '=', id)
          .where('state', '=', 'pending')
          .where('owner', '=', owner)
          .executeTakeFirst();
        if (numUpdatedRows === 1n) return id;
      }
      const { id, hash, session } = question;
      const row = { id, hash, workspace, session, owner: processes.self, request: JSON.stringify(question) };
      await database
        .insertInto('approvals')
        .values({ ...row, state: 'pending', answer: null, created_at: now, expires_at: expiresAt })
        .execute();
      return id;
    },
    async take(id) {
      const row = await database
        .selectFrom('approvals')
        .select('answer')
        .where('id', '=', id)
        .where('state', '=', 'answered')
        .where('expires_at', '>', clock.now())
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const { numUpdatedRows } = await database
        .updateTable('approvals')
        .set({ state: 'used', ...EMPTIED })
        .where('id', '=', id)
        .where('state', '=', 'answered')
        .executeTakeFirst();
      return numUpdatedRows === 1n ? (JSON.parse(row.answer!) as Answer) : undefined;
    },
    async takeLeft(question, workspace) {
      for (const { id } of await left('answered', question, workspace)) {
        const answer = await rows.take(id);
        if (answer !== undefined) return answer;
      }
      return undefined;
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
    async find(id) {
      const row = await database.selectFrom('approvals').selectAll().where('id', '=', id).executeTakeFirst();
      if (row === undefined || row.state === 'used' || row.expires_at > clock.now()) return row;
      return { ...row, state: 'expired' };
    },
    async leave(id) {
      const { numUpdatedRows } = await database
        .updateTable('approvals')
        .set({ owner: NOBODY })
        .where('id', '=', id)
        .where('state', '=', 'pending')
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
    async expire(id) {
      await database
        .updateTable('approvals')
        .set({ state: 'expired', ...EMPTIED })
        .where('id', '=', id)
        .where('owner', '=', processes.self)
        .where('state', 'in', ['pending', 'answered'])
        .execute();
    },
  };

  /** Questions about the same call that no living process waits for, oldest first. */
  async function left(
    state: 'pending' | 'answered',
    { hash, session }: Question,
    workspace: string,
  ): Promise<Pick<ApprovalRow, 'id' | 'owner'>[]> {
    const same = await database
      .selectFrom('approvals')
      .select(['id', 'owner'])
      .where('hash', '=', hash)
      .where('workspace', '=', workspace)
      .where('session', '=', session)
      .where('state', '=', state)
      .where('expires_at', '>', clock.now())
      .orderBy('created_at')
      .execute();
    return same.filter(({ owner }) => owner === NOBODY || !processes.isAlive(owner));
  }

  return rows;
}

async function forgetOld(database: Database, now: number): Promise<void> {
  await database
    .deleteFrom('approvals')
    .where('created_at', '<', now - KEPT_MS)
    .execute();
  await database
    .updateTable('approvals')
    .set({ state: 'expired', ...EMPTIED })
    .where('state', 'in', ['pending', 'answered'])
    .where('expires_at', '<=', now)
    .execute();
}
