import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { localClock } from '../../../src/host/local/clock.ts';
import { tempWorkspace } from '../../support/temp-workspace.ts';
import { AS, type Received, type Serving, serving } from './serving.ts';

const answerTo = (id: string): string => `/api/approvals/${id}/answer`;

function textOf({ workspace }: Serving): string {
  return readFileSync(join(workspace.root, 'a.txt'), 'utf8');
}

describe('answerQuestion', () => {
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

  it('runs the call with other arguments, once they were looked at', async () => {
    await using server = await serving();
    const { question, call } = await server.askedWrite();
    const edit = (args: unknown): Promise<Received> =>
      server.post(answerTo(question.id), AS.person, { answer: 'edit', args });
    for (const [args, refusal] of [
      [{ path: 'a.txt' }, 'Wrong arguments for write: \\"content\\" is missing'],
      [{ path: 'a.txt', content: 'x', contents: 'x' }, 'did you mean'],
      ['a.txt', 'Wrong arguments'],
      [{ path: '../out/s.txt', content: 'x' }, 'outside'],
      [{ path: '.git/hooks/pre-commit', content: 'x' }, 'hooks'],
    ] as const)
      expect(await edit(args)).toMatchObject({ status: 400, body: expect.stringContaining(refusal) });
    expect(await server.questions.pending()).toHaveLength(1);
    expect(await edit({ path: 'a.txt', content: 'mine\n' })).toMatchObject({
      status: 200,
      body: '{"answered":"edit"}',
    });
    expect(await call).toMatchObject({ outcome: 'ok' });
    expect(textOf(server)).toBe('mine\n');
    const lines = await server.records.audit.show((await call).callId);
    expect(lines?.at(-1)).toMatchObject({ edited_args: { content: 'mine\n' }, approver: 'api' });
  });

  it('opens no session to look at other arguments: it may be open in another process', async () => {
    await using server = await serving();
    const { question, call } = await server.askedWrite();
    await server.state.store.database.deleteFrom('sessions').execute();
    const args = { path: 'a.txt', content: 'mine\n' };
    await server.post(answerTo(question.id), AS.person, { answer: 'edit', args });
    expect(await call).toMatchObject({ outcome: 'ok' });
    expect(await server.records.sessions.list({ limit: 10 })).toEqual([]);
  });

  it('takes no other arguments where a token is masked in them, or where it is not the workspace of the call', async () => {
    await using server = await serving();
    const token = `ghp_${'a1'.repeat(18)}`;
    void server.runtime.call('write', { path: 'a.txt', content: token });
    const [masked] = await server.questions.whenOpen();
    await using other = tempWorkspace({ 'a.txt': 'old\n' });
    const elsewhere = await other.runtime({ wait: true, locations: server.workspace.locations });
    const call = elsewhere.call('write', { path: 'a.txt', content: 'new\n' });
    await expect.poll(() => server.questions.pending(), { timeout: 30_000 }).toHaveLength(2);
    const [, foreign] = await server.questions.pending();
    for (const { id } of [masked!, foreign!])
      expect(
        await server.post(answerTo(id), AS.person, { answer: 'edit', args: { path: 'a.txt', content: 'x' } }),
      ).toMatchObject({ status: 400, body: expect.stringContaining('"edit\\" is not offered') });
    await server.questions.answer(foreign!.id, { answer: 'deny' });
    await call;
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

  it('knows no question whose time is over, or that was never asked', async () => {
    let late = 0;
    await using server = await serving({ ...localClock, now: () => localClock.now() + late });
    const { question } = await server.askedWrite();
    late = question.expires_at - question.created_at;
    const listed = await server.send('/api/approvals', { headers: AS.person });
    expect(listed.body).toBe('{"approvals":[]}');
    expect((await server.post(answerTo(question.id), AS.person, { answer: 'once' })).status).toBe(409);
    expect((await server.post(answerTo('apr_none'), AS.person, { answer: 'once' })).status).toBe(404);
  });
});

describe('answerQuestion, asked by an agent', () => {
  it('takes the answer that fits, once, and says what is wrong with others', async () => {
    await using server = await serving();
    const call = server.runtime.call('ask_user', { message: 'Which?', choices: ['one', 'two'] });
    const [open] = await server.questions.whenOpen();
    const answer = (body: unknown): Promise<Received> => server.post(answerTo(open!.id), AS.person, body);
    for (const [body, refusal] of [
      [{ answer: 'once' }, 'That is no answer to a question of an agent.'],
      [{ kind: 'choice', choice: 'three' }, 'That is none of the choices.'],
      [{ kind: 'text', text: 'one' }, 'That is an answer to another kind of question.'],
      [{ kind: 'choice', choice: 'one', by: 'somebody else' }, 'E_INVALID_ARGS'],
    ] as const)
      expect(await answer(body)).toMatchObject({ status: 400, body: expect.stringContaining(refusal) });
    expect(await server.post(answerTo(open!.id), AS.agent, { kind: 'choice', choice: 'one' })).toMatchObject({
      status: 403,
    });
    expect(await answer({ kind: 'choice', choice: 'two' })).toMatchObject({ status: 200 });
    expect((await call).reply).toEqual({ ok: true, answer: 'two' });
    expect(await answer({ kind: 'choice', choice: 'two' })).toMatchObject({ status: 409 });
    await server.runtime.flush();
    const lines = await server.records.audit.show((await call).callId);
    expect(lines?.at(-1)).toMatchObject({ answered_by: 'api' });
    expect(lines?.at(-1)).not.toHaveProperty('approver');
  });

  it('takes none for an approval', async () => {
    await using server = await serving();
    const { question, call } = await server.askedWrite();
    const body = { kind: 'choice', choice: 'once' };
    expect(await server.post(answerTo(question.id), AS.person, body)).toMatchObject({ status: 400 });
    await server.post(answerTo(question.id), AS.person, { answer: 'deny' });
    expect(await call).toMatchObject({ outcome: 'denied' });
  });
});
