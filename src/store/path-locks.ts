/**
 * One writer at a time for every path, over all sessions and processes: a call that reads, thinks and writes back
 * must not lose what another one wrote meanwhile. A lock is a row; that of a dead process counts for nothing.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { Failure } from '../failure.ts';
import type { Clock, Ids, ProcessTable } from '../host/ports.ts';
import type { Database } from './store.ts';

export interface PathLocks {
  /** Waits for the paths of a workspace; they are free again when the result is disposed. */
  hold(workspace: string, paths: readonly string[], signal: AbortSignal): Promise<AsyncDisposable>;
}

interface Parts {
  readonly database: Database;
  readonly processes: ProcessTable;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Longer than any write takes; somebody who needs more is stuck. */
const PATIENCE_MS = 10_000;
const FIRST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 50;

/** The locks of one runtime. */
export function pathLocks({ database, processes, clock, ids }: Parts): PathLocks {
  const owner = `${processes.self} ${ids.trace()}`;
  const queues = new Map<string, Promise<void>>();

  /** Within the process callers queue up; only the first of them meets other processes. */
  const enqueue = async (key: string, signal: AbortSignal): Promise<() => void> => {
    const before = queues.get(key);
    const { promise, resolve } = Promise.withResolvers<void>();
    // Whoever gives up must not let those behind it pass those before it.
    const turn = before === undefined ? promise : before.then(() => promise);
    queues.set(key, turn);
    const leave = (): void => {
      if (queues.get(key) === turn) queues.delete(key);
      resolve();
    };
    try {
      await untilAborted(before, signal);
      return leave;
    } catch (error) {
      leave();
      throw error;
    }
  };

  /** Takes rows from the first to the last, and waits for each that somebody else has. */
  const take = async (workspace: string, paths: readonly string[], signal: AbortSignal): Promise<void> => {
    let taken = 0;
    let giveUpAt = clock.now() + PATIENCE_MS;
    let wait = FIRST_PAUSE_MS;
    while (taken < paths.length) {
      const rest = paths.slice(taken);
      const count = await takeUpToHeld(database, { workspace, paths: rest, owner });
      taken += count;
      if (count === rest.length) return;
      if (count > 0) [giveUpAt, wait] = [clock.now() + PATIENCE_MS, FIRST_PAUSE_MS];
      const holder = await holderOf(database, workspace, rest[count]!, processes);
      if (clock.now() > giveUpAt) throw busy(rest[count]!, holder);
      await pause(wait, undefined, { signal });
      wait = Math.min(wait * 2, LONGEST_PAUSE_MS);
    }
  };

  return {
    async hold(workspace, paths, signal) {
      await using held = new AsyncDisposableStack();
      // Always in the same order, so that two who want the same paths never wait for each other.
      const ordered = [...new Set(paths)].sort();
      for (const path of ordered) held.defer(await enqueue(`${workspace}\0${path}`, signal));
      if (ordered.length === 0) return held.move();
      held.defer(() => release(database, { workspace, paths: ordered, owner }));
      await take(workspace, ordered, signal);
      return held.move();
    },
  };
}

async function untilAborted(wait: Promise<void> | undefined, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (wait === undefined) return;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', onAbort);
  try {
    await Promise.race([wait, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

interface Locks {
  readonly workspace: string;
  readonly paths: readonly string[];
  readonly owner: string;
}

/** Takes the paths before the first one that somebody has, in one step however many there are; says how many. */
async function takeUpToHeld(database: Database, { workspace, paths, owner }: Locks): Promise<number> {
  const wanted = JSON.stringify(paths);
  const { numAffectedRows } = await sql`
    insert into path_locks (workspace, path, owner)
    select ${workspace}, value, ${owner} from json_each(${wanted}) where key < (
      select coalesce(min(key), ${paths.length}) from json_each(${wanted})
      join path_locks as held on held.workspace = ${workspace} and held.path = value
    )`.execute(database);
  return Number(numAffectedRows ?? 0n);
}

/** Who has a path; what a dead process has is given back. */
async function holderOf(
  database: Database,
  workspace: string,
  path: string,
  processes: ProcessTable,
): Promise<string> {
  const found = await database
    .selectFrom('path_locks')
    .select('owner')
    .where('workspace', '=', workspace)
    .where('path', '=', path)
    .executeTakeFirst();
  if (found === undefined) return 'somebody';
  const isAlive = processes.isAlive(found.owner.split(' ')[0]!);
  if (!isAlive) await release(database, { workspace, paths: [path], owner: found.owner });
  return found.owner;
}

async function release(database: Database, { workspace, paths, owner }: Locks): Promise<void> {
  await database
    .deleteFrom('path_locks')
    .where('workspace', '=', workspace)
    .where('path', 'in', sql<string>`(select value from json_each(${JSON.stringify(paths)}))`)
    .where('owner', '=', owner)
    .execute();
}

function busy(path: string, holder: string): Failure {
  return new Failure(
    'E_CONFLICT',
    `${JSON.stringify(path)} is being changed by another process (${holder.split(':')[0]}).`,
    { hint: 'Nothing was changed. Try again in a moment.' },
  );
}
