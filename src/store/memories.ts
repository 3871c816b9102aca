/**
 * Memories as rows. A session reaches its own, its workspace's and the user's, and no others: every query says so. How many
 * there may be of each is limited, for all of them may be told to an agent.
 */
import { Failure } from '../failure.ts';
import type { Clock, Ids } from '../host/ports.ts';
import { type Memory, memoryPrefix, type MemoryScope, type MemoryStore } from '../runtime/memories.ts';
import type { Database } from './store.ts';
import type { Memories as MemoryRow } from './agent-tables.ts';

const MAX_MEMORIES = 200;
/** What a session kept for itself goes with it, in the end. */
const KEPT_MS = 90 * 24 * 60 * 60 * 1000;

export interface MemoryParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly workspace: string;
}

/** The memories of a workspace and of the user. */
export function memoryStore({ database, clock, ids, workspace }: MemoryParts): MemoryStore {
  const within = (session: string | undefined) =>
    database
      .selectFrom('memories')
      .selectAll()
      .where((eb) => {
        const here = eb('workspace', '=', workspace);
        const ofSession = session === undefined ? [] : [eb('session', '=', session)];
        return eb.or([
          eb('scope', '=', 'user'),
          eb.and([eb('scope', '=', 'workspace'), here]),
          eb.and([eb('scope', '=', 'session'), here, ...ofSession]),
        ]);
      })
      .orderBy('updated_at', 'desc')
      .orderBy('id', 'desc');
  const find = async (session: string | undefined, id: string): Promise<MemoryRow> => {
    const row = await within(session).where('id', '=', id).executeTakeFirst();
    if (row !== undefined) return row;
    const others = await within(session).limit(10).execute();
    throw notFound(id, others);
  };
  const owner = (session: string, scope: MemoryScope) => ({
    workspace: scope === 'user' ? null : workspace,
    session: scope === 'session' ? session : null,
  });
  const refuse = async (session: string, scope: MemoryScope, title: string, id?: string): Promise<void> => {
    const rows = await within(session).where('scope', '=', scope).execute();
    const same = rows.find((row) => row.title === title && row.id !== id);
    if (same !== undefined) throw titleTaken(same);
    if (id === undefined && rows.length >= MAX_MEMORIES) throw tooMany(scope);
  };
  return {
    async find(session, query = '') {
      const rows = await within(session).execute();
      return rows.map(toMemory).filter((memory) => hasWords(memory, query));
    },
    get: async (session, id) => toMemory(await find(session, id)),
    async create(session, scope, text) {
      const now = clock.now();
      await database
        .deleteFrom('memories')
        .where('scope', '=', 'session')
        .where('updated_at', '<', now - KEPT_MS)
        .execute();
      await refuse(session, scope, text.title);
      const row: MemoryRow = {
        id: ids.next(memoryPrefix(scope)),
        scope,
        ...owner(session, scope),
        ...text,
        created_at: now,
        updated_at: now,
        written_in: workspace,
      };
      await database.insertInto('memories').values(row).execute();
      return toMemory(row);
    },
    async update(session, id, { title, content }) {
      const old = await find(session, id);
      if (title !== undefined) await refuse(session, old.scope, title, id);
      const row: MemoryRow = {
        ...old,
        title: title ?? old.title,
        content: content ?? old.content,
        updated_at: clock.now(),
        written_in: workspace,
      };
      await database.updateTable('memories').set(row).where('id', '=', id).execute();
      return toMemory(row);
    },
    async remove(session, id) {
      const row = await find(session, id);
      await database.deleteFrom('memories').where('id', '=', id).execute();
      return toMemory(row);
    },
  };
}

function toMemory(row: MemoryRow): Memory {
  const { id, scope, title, content } = row;
  return {
    id,
    scope,
    title,
    content,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    writtenIn: row.written_in,
  };
}

/** Whether each word of a query stands somewhere in it, however it is written. */
function hasWords({ title, content }: Memory, query: string): boolean {
  const text = folded(`${title}\n${content}`);
  return folded(query)
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

function notFound(id: string, others: readonly MemoryRow[]): Failure {
  const named = others.map((row) => `${row.id} (${row.title})`).join(', ');
  return new Failure('E_NOT_FOUND', `There is no memory ${JSON.stringify(id)} here.`, {
    hint: named === '' ? 'None is kept here yet.' : `There are: ${named}.`,
  });
}

function titleTaken({ id, title, scope }: MemoryRow): Failure {
  return new Failure(
    'E_CONFLICT',
    `There is a memory ${JSON.stringify(title)} in the scope ${scope} already: ${id}.`,
    { hint: 'Update that one, or choose another title.' },
  );
}

function tooMany(scope: MemoryScope): Failure {
  return new Failure('E_TOO_LARGE', `${MAX_MEMORIES} memories are kept in the scope ${scope}, and no more.`, {
    hint: 'Delete one that is not needed any more, or update one that says nearly the same.',
  });
}
