/** What turns changed, and the way back, over the API. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shared } from '../../../support/shared.ts';
import { tempWorkspace } from '../../../support/temp-workspace.ts';
import { AS, KEY, type Serving, serving } from '../serving.ts';
import { clientOf } from './asking.ts';

let server: Serving;
shared(async (stack) => {
  server = stack.use(await serving());
});

let turns = 0;

/** Writes a file in a turn of its own. */
async function written(path: string, content = 'new\n'): Promise<{ turn: string; callId: string }> {
  const call = server.runtime.call('write', { path, content }, { turn: `turn_${++turns}` });
  const [question] = await server.questions.whenOpen();
  await server.questions.answer(question!.id, { answer: 'once' });
  return call;
}

const textOf = (path: string): string => readFileSync(join(server.workspace.root, path), 'utf8');

describe('listTurns, showTurn', () => {
  it('tell what was changed to everybody who has the token', async () => {
    const { turn, callId } = await written('shown/a.txt');
    await server.runtime.flush();
    const client = clientOf(server, 'agent');
    const { turns } = await client.listTurns({ limit: 1 });
    expect(turns).toMatchObject([{ id: turn, kind: 'work', isEnded: true, entries: 2 }]);
    expect(await client.showTurn({ id: turn })).toEqual({
      turn: turns[0],
      entries: [
        { path: 'shown', before: 'missing', after: 'directory' },
        { path: 'shown/a.txt', before: 'missing', after: 'file' },
      ],
      calls: [{ id: callId, dialect: 'handrail', tool: 'write' }],
    });
  });

  it.each(['0', '1001', '1.5', 'x', ''])('refuse the limit %j', async (limit) => {
    expect(await server.send(`/api/turns?limit=${limit}`, { headers: AS.agent })).toMatchObject({
      status: 400,
      body: expect.stringContaining('limit') as string,
    });
  });

  it('know no turn that never was', async () => {
    await expect(clientOf(server).showTurn({ id: 'turn_none' })).rejects.toMatchObject({
      status: 404,
      code: 'E_NOT_FOUND',
    });
  });
});

describe('showDiff', () => {
  it('shows what a turn did to an entry, to the person alone', async () => {
    const { turn } = await written('a.txt', 'other\n');
    expect(await clientOf(server).showDiff({ id: turn, path: 'a.txt' })).toEqual({
      diff: '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-old\n+other\n',
    });
    await expect(clientOf(server, 'agent').showDiff({ id: turn, path: 'a.txt' })).rejects.toMatchObject({
      status: 403,
    });
    await expect(clientOf(server).showDiff({ id: turn, path: 'b.txt' })).rejects.toMatchObject({
      status: 404,
    });
    expect((await server.send(`/api/turns/${turn}/diff`, { headers: AS.person })).status).toBe(400);
  });

  it('knows only turns of its workspace, and entries of the turn', async () => {
    const own = await written('a.txt', 'once more\n');
    await using other = tempWorkspace({ 'a.txt': 'secret of another workspace\n' });
    const elsewhere = await other.runtime({ mode: 'reversible', locations: server.workspace.locations });
    const { turn } = await elsewhere.call('write', { path: 'a.txt', content: 'new\n' });
    for (const unknown of [
      turn,
      `${turn}/diff?path=a.txt`,
      'turn_none/diff?path=a.txt',
      `${own.turn}/diff?path=`,
      `${own.turn}/diff?path=../out/s.txt`,
      `${own.turn}/diff?path=./a.txt`,
    ]) {
      const { status, body } = await server.send(`/api/turns/${unknown}`, { headers: AS.person });
      expect({ unknown, status, isTold: body.includes('secret') }).toEqual({
        unknown,
        status: 404,
        isTold: false,
      });
    }
    const { status } = await server.post('/api/turns/undo', AS.person, { turn, dryRun: true });
    expect(status).toBe(404);
  });

  it.each([
    ['nobody', {}, 401],
    ['a wrong key', { ...AS.agent, 'handrail-approval': 'x'.repeat(28) }, 403],
    ['the key alone', { 'handrail-approval': KEY }, 401],
    ['another name', { ...AS.person, host: 'evil.test' }, 421],
    ['another page', { ...AS.person, origin: 'http://evil.test' }, 403],
    ['a page of another port', { ...AS.person, 'sec-fetch-site': 'same-site' }, 403],
  ])('shows nothing to %s', async (_who, headers, status) => {
    const { turn } = await written('hidden.txt', 'hidden\n');
    expect(await server.send(`/api/turns/${turn}/diff?path=hidden.txt`, { headers })).toMatchObject({
      status,
      body: expect.not.stringContaining('hidden'),
    });
  });
});

describe('undo', () => {
  it('says what it would do, does it, and is a turn itself', async () => {
    const client = clientOf(server);
    const { turn } = await written('undone.txt');
    const would = await client.undo({ turn, dryRun: true });
    expect(would).toEqual({
      turns: [turn],
      takenBack: [turn],
      steps: [{ path: 'undone.txt', action: 'remove' }],
    });
    expect(textOf('undone.txt')).toBe('new\n');
    const done = await client.undo({ turn });
    expect(done).toEqual({ ...would, turn: expect.any(String) as string });
    expect(() => textOf('undone.txt')).toThrow('ENOENT');
    const { turns } = await client.listTurns();
    expect(turns.find(({ id }) => id === turn)).toMatchObject({ undoneBy: done.turn });
    await client.undo({ turn: done.turn! });
    expect(textOf('undone.txt')).toBe('new\n');
  });

  it('takes the turn of a call, of a session, or the last ones', async () => {
    const client = clientOf(server);
    const { callId } = await written('by-call.txt');
    expect(await client.undo({ call: callId })).toMatchObject({ steps: [{ path: 'by-call.txt' }] });
    await written('last.txt');
    expect(await client.undo({})).toMatchObject({ steps: [{ path: 'last.txt' }] });
    const [first] = await server.records.audit.list({ limit: 1 });
    const { steps } = await client.undo({ session: first!.session, dryRun: true });
    expect(steps.map(({ path }) => path)).toContain('undone.txt');
  });

  it('leaves alone what was changed since, and says so', async () => {
    const { turn } = await written('changed.txt');
    server.workspace.write('changed.txt', 'by somebody else\n');
    const { steps, takenBack } = await clientOf(server).undo({ turn });
    expect([steps, takenBack]).toMatchObject([[{ path: 'changed.txt', action: 'conflict' }], []]);
    expect(textOf('changed.txt')).toBe('by somebody else\n');
  });

  it('is for the person, who is named in the audit', async () => {
    const { turn } = await written('audited.txt');
    await expect(clientOf(server, 'agent').undo({ turn })).rejects.toMatchObject({ status: 403 });
    await expect(clientOf(server, 'agent').undo({ turn, dryRun: true })).rejects.toMatchObject({
      status: 403,
    });
    const page = { ...AS.person, origin: server.url.origin };
    for (const [headers, by] of [
      [page, 'page'],
      [AS.person, 'api'],
    ] as const) {
      await server.post('/api/turns/undo', headers, { turn: (await written(`by-${by}.txt`)).turn });
      await server.runtime.flush();
      const [call] = await server.records.audit.list({ limit: 1 });
      expect((await server.records.audit.show(call!.call_id))?.at(-1)).toMatchObject({
        dialect: 'human',
        approver: by,
      });
    }
  });

  it.each([{ turn: 'a', last: 1 }, { last: 0 }, { last: '1' }, { turns: ['a'] }, { since: 1 }, []])(
    'refuses %j',
    async (body) => {
      const { status, body: text } = await server.post('/api/turns/undo', AS.person, body);
      expect([status, JSON.parse(text)]).toMatchObject([400, { error: { code: 'E_INVALID_ARGS' } }]);
    },
  );
});
