/**
 * One writer at a time for every path, over all sessions and processes: a call that reads, thinks and writes back
 * must not lose what another one wrote meanwhile. A lock is a row; that of a dead process counts for nothing.
 */
import { setTimeout as pause } from 'node:timers/promises';
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
    const before = queues.get(key) ?? Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    // Whoever gives up must not let those behind it pass those before it.
    const turn = before.then(() => promise);
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

  const take = async (workspace: string, path: string, signal: AbortSignal): Promise<void> => {
    const giveUpAt = clock.now() + PATIENCE_MS;
    for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
      const holder = await tryToTake(database, { workspace, path, owner }, processes);
      if (holder === undefined) return;
      if (clock.now() > giveUpAt) throw busy(path, holder);
      await pause(wait, undefined, { signal });
    }
  };

  return {
    async hold(workspace, paths, signal) {
      await using held = new AsyncDisposableStack();
      // Always in the same order, so that two who want the same paths never wait for each other.
      for (const path of [...new Set(paths)].sort()) {
        held.defer(await enqueue(`${workspace}\0${path}`, signal));
        await take(workspace, path, signal);
        held.defer(() => release(database, { workspace, path, owner }));
      }
      return held.move();
    },
  };
}

async function untilAborted(wait: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', onAbort);
  try {
    await Promise.race([wait, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

interface Lock {
  readonly workspace: string;
  readonly path: string;
  readonly owner: string;
}

/** Returns who holds it instead; undefined where it was taken. */
async function tryToTake(
  database: Database,
  lock: Lock,
  processes: ProcessTable,
): Promise<string | undefined> {
  const taken = await database
    .insertInto('path_locks')
    .values(lock)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (taken.numInsertedOrUpdatedRows === 1n) return undefined;
  const found = await database
    .selectFrom('path_locks')
    .select('owner')
    .where('workspace', '=', lock.workspace)
    .where('path', '=', lock.path)
    .executeTakeFirst();
  if (found === undefined || processes.isAlive(found.owner.split(' ')[0]!)) return found?.owner ?? 'somebody';
  await release(database, { ...lock, owner: found.owner });
  return found.owner;
}

async function release(database: Database, { workspace, path, owner }: Lock): Promise<void> {
  await database
    .deleteFrom('path_locks')
    .where('workspace', '=', workspace)
    .where('path', '=', path)
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
