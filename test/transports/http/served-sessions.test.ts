import { describe, expect, it } from 'vitest';
import { ServedSessions, type ServedSessionsParts } from '../../../src/transports/http/served-sessions.ts';
import { type Serving, serving } from './serving.ts';

const partsOf = ({ records }: Serving): ServedSessionsParts => ({
  leave: (session) => records.sessions.close(session),
  chosen: (session) => records.sessions.chosen(session),
});

describe('ServedSessions', () => {
  it('holds so many, and says of the one that was not used for longest that it is not open any more', async () => {
    await using server = await serving();
    const { runtime, records } = server;
    await using sessions = new ServedSessions(partsOf(server), 2);
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

  it('goes on with what was chosen for one that it forgot, but for less questions', async () => {
    await using server = await serving();
    const { runtime } = server;
    await using sessions = new ServedSessions(partsOf(server), 1);
    const agent = { name: 'careful', tools: { read_file: false } };
    const choice = { dialect: 'codelab', mode: 'read-only', agent } as const;
    await sessions.open(runtime, { id: 'chosen', ...choice }, false);
    await sessions.open(runtime, { id: 'loose', mode: 'auto' }, true);
    expect(await sessions.open(runtime, { id: 'chosen' }, false)).toMatchObject({
      dialect: { name: 'codelab' },
      mode: 'read-only',
      agent,
    });
    expect(await sessions.open(runtime, { id: 'loose' }, false)).toMatchObject({ mode: 'ask' });
    expect(await sessions.open(runtime, { id: 'chosen', dialect: 'handrail' }, false)).toMatchObject({
      dialect: { name: 'handrail' },
      agent,
    });
  });
});
