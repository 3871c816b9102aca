import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AS, type Serving, serving } from './serving.ts';

const answerTo = (id: string): string => `/questions/${id}/answer`;

function textOf({ workspace }: Serving): string {
  return readFileSync(join(workspace.root, 'a.txt'), 'utf8');
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
