/** Background processes and who watches over them, as rows. */
import type {
  BackgroundProcess,
  ProcessEnd,
  ProcessRecords,
  SandboxTier,
  SupervisorPlace,
} from '../host/ports.ts';
import type { Database } from './store.ts';
import type { Processes } from './tables.ts';

/** The one place of a supervisor. */
const SLOT = 1;

/** The rows of every workspace. */
export function processRecords(database: Database): ProcessRecords {
  const update = (id: string, values: Partial<Processes>) =>
    database.updateTable('processes').set(values).where('id', '=', id).execute();
  return {
    async add(process, owner, supervisor) {
      const { id, name = null, workspace, session, command, directory } = process;
      const row = { id, name, workspace, session, owner, supervisor, command, directory };
      await database
        .insertInto('processes')
        .values({ ...row, kept: process.isKept ? 1 : 0, started_at: process.startedAt })
        .execute();
    },
    async started(id, { pid, identity, tier, network = null }) {
      await update(id, { pid, identity, tier, network });
    },
    async ended(id, { at, by, exitCode = null, hosts }) {
      await update(id, {
        ended_at: at,
        ended_by: by,
        exit_code: exitCode,
        hosts: hosts.length === 0 ? null : JSON.stringify(hosts),
      });
    },
    async drop(id) {
      await database.deleteFrom('processes').where('id', '=', id).execute();
    },
    async list(workspace) {
      const all = database
        .selectFrom('processes')
        .selectAll()
        .orderBy('started_at', 'desc')
        .orderBy('id', 'desc');
      const rows = workspace === undefined ? all : all.where('workspace', '=', workspace);
      return (await rows.execute()).map(fromRow);
    },
    running: () =>
      database
        .selectFrom('processes')
        .select(['id', 'supervisor', 'identity', 'tier'])
        .where('ended_at', 'is', null)
        .execute(),
    async network(workspace, session) {
      const row = await database
        .selectFrom('processes')
        .select('network')
        .where('workspace', '=', workspace)
        .where('session', '=', session)
        .where('ended_at', 'is', null)
        .where('network', 'is not', null)
        .executeTakeFirst();
      return row?.network ?? undefined;
    },
    async forget(before) {
      const rows = await database
        .deleteFrom('processes')
        .where('ended_at', '<', before)
        .returning('id')
        .execute();
      return rows.map(({ id }) => id);
    },
    async supervisor() {
      return database.selectFrom('supervisors').select(['owner', 'socket']).executeTakeFirst();
    },
    supersede: (before, after) => supersede(database, before, after),
    async retire(owner) {
      await database.deleteFrom('supervisors').where('owner', '=', owner).execute();
    },
  };
}

/** By one statement each: another process may try the same at this moment. */
async function supersede(
  database: Database,
  before: SupervisorPlace | undefined,
  after: SupervisorPlace,
): Promise<boolean> {
  if (before === undefined) {
    const { numInsertedOrUpdatedRows } = await database
      .insertInto('supervisors')
      .values({ slot: SLOT, ...after })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    return numInsertedOrUpdatedRows === 1n;
  }
  const { numUpdatedRows } = await database
    .updateTable('supervisors')
    .set(after)
    .where('owner', '=', before.owner)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

function fromRow(row: Processes): BackgroundProcess {
  return {
    id: row.id,
    name: row.name ?? undefined,
    workspace: row.workspace,
    session: row.session,
    isKept: row.kept === 1,
    command: row.command,
    directory: row.directory,
    pid: row.pid ?? undefined,
    tier: (row.tier ?? undefined) as SandboxTier | undefined,
    startedAt: row.started_at,
    ended:
      row.ended_at === null
        ? undefined
        : {
            at: row.ended_at,
            by: row.ended_by as ProcessEnd,
            exitCode: row.exit_code ?? undefined,
            hosts: row.hosts === null ? [] : (JSON.parse(row.hosts) as string[]),
          },
  };
}
