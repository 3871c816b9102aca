/** Calls that are cancelled while they queue behind another call of their own runtime. */
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { localClock } from '../../src/host/local/clock.ts';
import { localIds } from '../../src/host/local/ids.ts';
import { openState, type State } from '../../src/open-state.ts';
import { type PathLocks, pathLocks } from '../../src/store/path-locks.ts';
import { tempWorkspace } from '../support/temp-workspace.ts';

const NEVER = new AbortController().signal;

function locksOf({ store, processes }: State): PathLocks {
  return pathLocks({ database: store.database, processes, clock: localClock, ids: localIds(localClock) });
}

describe('pathLocks', () => {
  it('lets go of a caller that is cancelled in the queue, at once', async () => {
    await using workspace = tempWorkspace();
    await using state = openState(workspace.locations);
    const locks = locksOf(state);
    await using _held = await locks.hold('/ws', ['a'], NEVER);
    const cancelling = new AbortController();
    const waiting = locks.hold('/ws', ['a'], cancelling.signal);
    cancelling.abort();
    await expect(waiting).rejects.toThrow(/abort/i);
  }, 5_000);

  it('gives no lock to a caller that was cancelled before its turn', async () => {
    await using workspace = tempWorkspace();
    await using state = openState(workspace.locations);
    const locks = locksOf(state);
    const first = await locks.hold('/ws', ['a'], NEVER);
    const cancelling = new AbortController();
    const waiting = locks.hold('/ws', ['a'], cancelling.signal);
    cancelling.abort();
    await first[Symbol.asyncDispose]();
    await expect(waiting).rejects.toThrow(/abort/i);
  });
});

describe('a call that is cancelled while it waits for its turn', () => {
  it('makes no directory', async () => {
    await using workspace = tempWorkspace({ 'd/a.txt': '' });
    await using state = openState(workspace.locations);
    const runtime = await workspace.runtime({ mode: 'auto' });
    // Another runtime has the path; the first call waits for it, the second one for the first.
    const held = await locksOf(state).hold(workspace.root, ['d'], NEVER);
    const first = runtime.call('delete', { path: 'd' });
    const cancelling = new AbortController();
    const second = runtime.call('mkdir', { path: 'd' }, { signal: cancelling.signal });
    await runtime.call('write', { path: 'other.txt', content: 'x' });
    cancelling.abort();
    await held[Symbol.asyncDispose]();
    expect([(await first).outcome, (await second).outcome]).toEqual(['ok', 'cancelled']);
    expect(readdirSync(workspace.root)).toEqual(['other.txt']);
  });
});
