/** The sessions of every process on this machine: which process each is open in, and its last call. */
import { sql } from 'kysely';
import type { Clock, ProcessTable } from '../host/ports.ts';
import type { Database } from './store.ts';

export interface OpenedSession {
  readonly id: string;
  readonly workspace: string;
  readonly dialect: string;
  readonly agent: string;
  /** What was chosen for it, where it is not the usual. */
  readonly chosen: object;
}

/** What others know of a session. */
export interface KnownSession {
  readonly id: string;
  readonly workspace: string;
  readonly dialect: string;
  readonly agent: string | null;
  readonly openedAt: number;
  /** Whether it is open in a process that runs. */
  readonly isAlive: boolean;
  readonly lastCall: {
    readonly id: string;
    readonly tool: string;
    readonly at: number;
    readonly outcome: string | null;
  } | null;
}

export interface SessionRows {
  /** Notes that a session is open in this process, unless another one that runs has it. */
  open(session: OpenedSession): Promise<void>;
  /** Notes that it is not any more. */
  close(session: Pick<OpenedSession, 'id' | 'workspace'>): Promise<void>;
  /** What was last chosen for it; nothing where there is none. */
  chosen(session: Pick<OpenedSession, 'id' | 'workspace'>): Promise<object>;
  /** The one that was used last comes first. */
  list(query: SessionQuery): Promise<KnownSession[]>;
}

export interface SessionQuery {
  readonly workspace?: string | undefined;
  readonly id?: string | undefined;
  readonly limit: number;
}

/** The sessions in the store. */
export function sessionRows(database: Database, clock: Clock, processes: ProcessTable): SessionRows {
  const { self: owner } = processes;
  return {
    async open({ id, workspace, dialect, agent, chosen: given }) {
      const isAnyChosen = Object.values(given).some((choice) => choice !== undefined);
      const chosen = isAnyChosen ? JSON.stringify(given) : null;
      const opened = await database
        .insertInto('sessions')
        .values({ id, workspace, dialect, agent, owner, chosen, created_at: clock.now() })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if (opened.numInsertedOrUpdatedRows === 1n) return;
      const known = await database
        .selectFrom('sessions')
        .select('owner')
        .where('workspace', '=', workspace)
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      if (known.owner !== null && processes.isAlive(known.owner)) return;
      await database
        .updateTable('sessions')
        // Who chooses nothing goes on with what was chosen before.
        .set({ owner, dialect, agent, ...(chosen === null ? {} : { chosen }) })
        .where('workspace', '=', workspace)
        .where('id', '=', id)
        .execute();
    },
    async close({ id, workspace }) {
      await database
        .updateTable('sessions')
        .set({ owner: null })
        .where('workspace', '=', workspace)
        .where('id', '=', id)
        .where('owner', '=', owner)
        .execute();
    },
    async chosen({ id, workspace }) {
      const row = await database
        .selectFrom('sessions')
        .select('chosen')
        .where('workspace', '=', workspace)
        .where('id', '=', id)
        .executeTakeFirst();
      return JSON.parse(row?.chosen ?? '{}') as object;
    },
    async list({ workspace, id, limit }) {
      const rows = await database
        .selectFrom('sessions')
        .leftJoin('audit_calls', (join) =>
          join.on(
            'audit_calls.call_id',
            '=',
            sql<string>`(select call_id from audit_calls where session = sessions.id and workspace = sessions.workspace order by at desc limit 1)`,
          ),
        )
        .select(['sessions.id', 'sessions.workspace', 'sessions.dialect', 'agent', 'owner', 'created_at'])
        .select(['call_id', 'name', 'at', 'outcome'])
        .$if(workspace !== undefined, (query) => query.where('sessions.workspace', '=', workspace!))
        .$if(id !== undefined, (query) => query.where('sessions.id', '=', id!))
        .orderBy(sql`coalesce(at, created_at)`, 'desc')
        .limit(limit)
        .execute();
      return rows.map(({ owner: process, created_at, call_id, name, at, outcome, ...session }) => ({
        ...session,
        openedAt: created_at,
        isAlive: process !== null && processes.isAlive(process),
        lastCall: call_id === null ? null : { id: call_id, tool: name!, at: at!, outcome },
      }));
    },
  };
}
