/** Thousands of paths held by one call, such as a command that changed a whole tree. */
import { describe, expect, it } from 'vitest';
import { localClock } from '../../src/host/local/clock.ts';
import { localIds } from '../../src/host/local/ids.ts';
import { openState, type State } from '../../src/open-state.ts';
import { type PathLocks, pathLocks } from '../../src/store/path-locks.ts';
import type { Database } from '../../src/store/store.ts';
import { tempWorkspace } from '../support/temp-workspace.ts';

const NEVER = new AbortController().signal;
const MANY = Array.from({ length: 10_000 }, (_, index) => `folder ${index % 50}/é-${index}.txt`);

function locksOf({ store, processes }: State, database = store.database): PathLocks {
  return pathLocks({ database, processes, clock: localClock, ids: localIds(localClock) });
}

/** The same store, counting what is asked of it. */
function counting(database: Database, count: () => void): Database {
  return database.withPlugin({
    transformQuery({ node }) {
      count();
      return node;
    },
    transformResult: async ({ result }) => result,
  });
}

async function heldIn({ store }: State): Promise<string[]> {
  const rows = await store.database.selectFrom('path_locks').select('path').execute();
  return rows.map(({ path }) => path).sort();
}

describe('pathLocks.hold of many paths', () => {
  it('asks the store once to take them and once to give them back', async () => {
    await using workspace = tempWorkspace();
    await using state = openState(workspace.locations);
    let asked = 0;
    const locks = locksOf(
      state,
      counting(state.store.database, () => asked++),
    );
    const held = await locks.hold('/ws', MANY, NEVER);
    expect(await heldIn(state)).toEqual([...MANY].sort());
    await held[Symbol.asyncDispose]();
    expect([asked, await heldIn(state)]).toEqual([2, []]);
  });

  it('holds only what comes before a path that it waits for', async () => {
    await using workspace = tempWorkspace();
    await using state = openState(workspace.locations);
    const [one, other] = [locksOf(state), locksOf(state)];
    const first = await one.hold('/ws', ['c'], NEVER);
    const waiting = other.hold('/ws', ['e', 'd', 'c', 'b', 'a'], NEVER);
    while ((await heldIn(state)).length < 3) await new Promise(setImmediate);
    const meanwhile = await one.hold('/ws', ['d', 'e'], NEVER);
    expect(await heldIn(state)).toEqual(['a', 'b', 'c', 'd', 'e']);
    await first[Symbol.asyncDispose]();
    await meanwhile[Symbol.asyncDispose]();
    await (await waiting)[Symbol.asyncDispose]();
    expect(await heldIn(state)).toEqual([]);
  });
});
