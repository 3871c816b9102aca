import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { UndoReport } from '../../../src/index.ts';
import { AS, type Serving, serving } from './serving.ts';

const answerTo = (id: string): string => `/questions/${id}/answer`;

function textOf({ workspace }: Serving, path = 'a.txt'): string {
  return readFileSync(join(workspace.root, path), 'utf8');
}

describe('POST /questions/:id/answer', () => {
  it('lets the call pass that waits, once', async () => {
    await using server = await serving();
    const { question, call } = await server.askedWrite();
    expect(await server.post(answerTo(question.id), AS.person, { answer: 'once' })).toMatchObject({
      status: 200,
      body: '{"answered":"once"}',
    });
    expect(await call).toMatchObject({ outcome: 'ok' });
    expect(textOf(server)).toBe('new\n');
    expect(await server.post(answerTo(question.id), AS.person, { answer: 'once' })).toMatchObject({
      status: 409,
      body: expect.stringContaining('not open any more (used)'),
    });
  });

  it('denies with a reason that the agent reads', async () => {
    await using server = await serving();
    const { question, call } = await server.askedWrite();
    await server.post(answerTo(question.id), AS.person, { answer: 'deny', reason: 'Use b.txt instead.' });
    const { outcome, reply } = await call;
    expect(outcome).toBe('denied');
    expect(JSON.stringify(reply)).toContain('Use b.txt instead.');
    expect(textOf(server)).toBe('old\n');
  });

  it('writes the rule of "always" that the question showed', async () => {
    await using server = await serving();
    const { question, call } = await server.askedWrite();
    const { alwaysRule } = JSON.parse(question.request) as { alwaysRule: { path: string[] } };
    await server.post(answerTo(question.id), AS.person, { answer: 'always' });
    expect(await call).toMatchObject({ outcome: 'ok' });
    const settings = readFileSync(join(server.workspace.locations.config, 'config.jsonc'), 'utf8');
    expect(settings).toContain(JSON.stringify(alwaysRule.path[0]));
  });

  it('refuses an answer that the question does not offer', async () => {
    await using server = await serving();
    const { question } = await server.askedWrite();
    const request = {
      ...JSON.parse(question.request),
      scope: 'single_action',
      alwaysRule: undefined,
    } as object;
    await server.state.store.database
      .updateTable('approvals')
      .set({ request: JSON.stringify(request) })
      .execute();
    for (const answer of ['session', 'always'])
      expect(await server.post(answerTo(question.id), AS.person, { answer })).toMatchObject({
        status: 400,
        body: expect.stringContaining('not offered'),
      });
    expect(await server.questions.pending()).toHaveLength(1);
  });

  it.each([
    undefined,
    {},
    { answer: 'yes' },
    { answer: 'edit', args: {} },
    { answer: 'once', by: 'somebody else' },
    { answer: 'deny', reason: 'x'.repeat(2_001) },
    ['once'],
  ])('refuses %j', async (body) => {
    await using server = await serving();
    const { question } = await server.askedWrite();
    expect((await server.post(answerTo(question.id), AS.person, body)).status).toBe(400);
    expect(await server.questions.pending()).toHaveLength(1);
  });

  it('knows no question that was never asked', async () => {
    await using server = await serving();
    expect((await server.post(answerTo('apr_none'), AS.person, { answer: 'once' })).status).toBe(404);
  });
});

describe('/turns/:id', () => {
  it('says what a turn did, what taking it back would do, and takes it back', async () => {
    await using server = await serving();
    const { question, call } = await server.askedWrite('folder/b.txt');
    await server.post(answerTo(question.id), AS.person, { answer: 'once' });
    await call;
    const [turn] = await server.runtime.turns();
    const path = `/turns/${turn!.id}`;
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
    const { question, call } = await server.askedWrite();
    await server.post(answerTo(question.id), AS.person, { answer: 'once' });
    await call;
    const [turn] = await server.runtime.turns();
    expect((await server.post(`/turns/${turn!.id}/undo`, AS.agent)).status).toBe(403);
    expect(textOf(server)).toBe('new\n');
  });
});
