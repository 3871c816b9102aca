import { describe, expect, it } from 'vitest';
import { ServedSessions } from '../../../src/transports/http/served-sessions.ts';
import { serving } from './serving.ts';

describe('ServedSessions', () => {
  it('holds so many, and says of the one that was not used for longest that it is not open any more', async () => {
    await using server = await serving();
    const { runtime, records } = server;
    await using sessions = new ServedSessions((session) => records.sessions.close(session), 2);
    const alive = async (): Promise<string[]> => {
      const known = await records.sessions.list({ workspace: runtime.workspace.root, limit: 10 });
      return known.flatMap(({ id, isAlive }) => (isAlive ? [id] : [])).toSorted();
    };
    for (const id of ['first', 'second', 'first', 'third']) await sessions.open(runtime, { id }, false);
    expect(sessions.openSessions).toBe(2);
    await expect.poll(alive).toEqual(['first', 'third']);
    await sessions.open(runtime, { id: 'second' }, false);
    await expect.poll(alive).toEqual(['second', 'third']);
    await sessions[Symbol.asyncDispose]();
    expect(await alive()).toEqual([]);
  });
});
