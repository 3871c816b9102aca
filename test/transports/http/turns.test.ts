import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { UndoReport } from '../../../src/index.ts';
import { tempWorkspace } from '../../support/temp-workspace.ts';
import { AS, KEY, type Serving, serving } from './serving.ts';

function textOf({ workspace }: Serving, path = 'a.txt'): string {
  return readFileSync(join(workspace.root, path), 'utf8');
}

/** Writes a file, and returns where the turn is shown in which that was done. */
async function writtenTurn(server: Serving, path = 'a.txt'): Promise<string> {
  const { question, call } = await server.askedWrite(path);
  await server.questions.answer(question.id, { answer: 'once' });
  return `/turns/${(await call).turn}`;
}

describe('/turns/:id', () => {
  it('says what a turn did, what taking it back would do, and takes it back', async () => {
    await using server = await serving();
    const path = await writtenTurn(server, 'folder/b.txt');
    expect(JSON.parse((await server.send(path, { headers: AS.agent })).body)).toEqual([
      { path: 'folder', before: 'missing', after: 'directory' },
      { path: 'folder/b.txt', before: 'missing', after: 'file' },
    ]);
    const would = JSON.parse((await server.send(`${path}/undo`, { headers: AS.agent })).body) as UndoReport;
    expect(would.steps).toContainEqual({ path: 'folder/b.txt', action: 'remove' });
    expect(textOf(server, 'folder/b.txt')).toBe('new\n');
    const done = JSON.parse((await server.post(`${path}/undo`, AS.person)).body) as UndoReport;
    expect(done).toEqual({ ...would, turn: expect.any(String) as string });
    expect(() => textOf(server, 'folder/b.txt')).toThrow('ENOENT');
    expect(await server.post(`${path}/undo`, AS.person)).toMatchObject({
      status: 404,
      body: expect.stringContaining('no turn to take back'),
    });
  });

  it('leaves to others what the agent may not do', async () => {
    await using server = await serving();
    const path = await writtenTurn(server);
    expect((await server.post(`${path}/undo`, AS.agent)).status).toBe(403);
    expect((await server.send(`${path}/diff?path=a.txt`, { headers: AS.agent })).status).toBe(403);
    expect(textOf(server)).toBe('new\n');
  });

  it('tells the diff of an entry to the person alone', async () => {
    await using server = await serving();
    const path = await writtenTurn(server);
    const told = await server.send(`${path}/diff?path=a.txt`, { headers: AS.person });
    expect({ ...told, body: JSON.parse(told.body) as unknown }).toMatchObject({
      status: 200,
      body: { diff: '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-old\n+new\n' },
    });
  });

  it('knows only turns of its workspace, and entries of the turn', async () => {
    await using server = await serving();
    const path = await writtenTurn(server);
    await using other = tempWorkspace({ 'a.txt': 'secret of another workspace\n' });
    const elsewhere = await other.runtime({ mode: 'reversible', locations: server.workspace.locations });
    const { turn } = await elsewhere.call('write', { path: 'a.txt', content: 'new\n' });
    for (const unknown of [
      '/turns/turn_none',
      `/turns/${turn}`,
      `/turns/${turn}/undo`,
      '/turns/turn_none/diff?path=a.txt',
      `/turns/${turn}/diff?path=a.txt`,
      `${path}/diff`,
      `${path}/diff?path=`,
      `${path}/diff?path=b.txt`,
      `${path}/diff?path=../out/s.txt`,
      `${path}/diff?path=./a.txt`,
    ]) {
      const { status, body } = await server.send(unknown, { headers: AS.person });
      expect({ unknown, status, isTold: body.includes('secret') }).toEqual({
        unknown,
        status: 404,
        isTold: false,
      });
    }
  });

  it.each([
    ['nobody', {}, 401],
    ['a wrong key', { ...AS.agent, 'handrail-approval': 'x'.repeat(28) }, 403],
    ['the key alone', { 'handrail-approval': KEY }, 401],
    ['another name', { ...AS.person, host: 'evil.test' }, 421],
    ['another page', { ...AS.person, origin: 'http://evil.test' }, 403],
    ['a page of another port', { ...AS.person, 'sec-fetch-site': 'same-site' }, 403],
  ])('shows no diff to %s', async (_who, headers, status) => {
    await using server = await serving();
    const path = await writtenTurn(server);
    expect(await server.send(`${path}/diff?path=a.txt`, { headers })).toMatchObject({
      status,
      body: expect.not.stringContaining('old'),
    });
  });
});
