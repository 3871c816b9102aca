/** Sessions over the API, and those of other processes. */
import { describe, expect, it } from 'vitest';
import type { Client } from '../../../../src/client/index.ts';
import { shared } from '../../../support/shared.ts';
import { type Serving, serving } from '../serving.ts';

let server: Serving;
let agent: Client;
let person: Client;
shared(async (stack) => {
  server = stack.use(await serving());
  ({ agent, person } = server);
});

describe('openSession', () => {
  it('makes ids that nobody can guess', async () => {
    const { id } = await agent.openSession();
    const { id: other } = await agent.openSession();
    expect([id, other]).toEqual([1, 2].map(() => expect.stringMatching(/^ses_[0-9a-f]{32}$/) as string));
    expect(id).not.toBe(other);
  });

  it('goes on with the session of an id', async () => {
    const wanted = {
      id: 'kept',
      dialect: 'codelab',
      agent: { name: 'careful', tools: { read_file: false } },
    };
    const opened = await agent.openSession(wanted);
    expect(opened).toMatchObject({ id: 'kept', dialect: 'codelab', agent: 'careful' });
    expect(await agent.openSession({ id: 'kept' })).toEqual(opened);
    const args = { path: 'a.txt' };
    expect(await agent.makeCall({ tool: 'read_file', args, session: 'kept' })).toMatchObject({
      result: { error: { code: 'E_NO_TOOL' } },
    });
  });

  it('goes on with what was chosen for it after a restart', async () => {
    const chosen = { dialect: 'codelab', agent: { name: 'careful', tools: { read_file: false } } };
    const opened = await agent.openSession({ id: 'restarted', ...chosen });
    await server.stop();
    await server.startAgain();
    const call = { tool: 'read_file', args: { path: 'a.txt' }, session: 'restarted' };
    expect(await agent.makeCall(call)).toMatchObject({ result: { error: { code: 'E_NO_TOOL' } } });
    expect(await agent.openSession({ id: 'restarted' })).toEqual(opened);
  });

  it('lets only a person ask for less questions', async () => {
    await expect(agent.openSession({ mode: 'auto' })).rejects.toMatchObject({ status: 403 });
    expect(await person.openSession({ mode: 'auto' })).toMatchObject({ mode: 'auto' });
  });
});

describe('listSessions', () => {
  it('tells which are alive, in whatever process, and what each did last', async () => {
    const { id } = await agent.openSession();
    const { callId } = await agent.makeCall({ tool: 'read', args: { path: 'a.txt' }, session: id });
    const { root } = server.workspace;
    const row = { workspace: '/elsewhere', dialect: 'handrail', agent: 'x', created_at: 1 };
    const { database } = server.state.store;
    await database
      .insertInto('sessions')
      .values({ ...row, id: 'dead', owner: '1:0:0' })
      .execute();
    const { sessions } = await agent.listSessions({ workspace: 'all' });
    expect(sessions.filter((session) => [id, 'dead'].includes(session.id))).toEqual([
      {
        id,
        workspace: root,
        dialect: 'handrail',
        agent: 'default',
        openedAt: expect.any(Number) as number,
        isAlive: true,
        lastCall: { id: callId, tool: 'read', at: expect.any(Number) as number, outcome: 'ok' },
      },
      {
        id: 'dead',
        workspace: '/elsewhere',
        dialect: 'handrail',
        agent: 'x',
        openedAt: 1,
        isAlive: false,
        lastCall: null,
      },
    ]);
    const own = await agent.listSessions({ workspace: 'own' });
    expect(own.sessions.map((session) => session.id)).not.toContain('dead');
  });

  it('has the session of calls that name none', async () => {
    await agent.makeCall({ tool: 'list', args: {} });
    await server.runtime.call('list', {});
    const { sessions } = await agent.listSessions();
    expect(sessions.map(({ id }) => id)).toContain('api');
    expect(await agent.showSession({ id: 'api' })).toMatchObject({
      isAlive: true,
      lastCall: { tool: 'list' },
    });
  });
});

describe('closeSession', () => {
  it('forgets what was granted in it', async () => {
    const { id } = await agent.openSession();
    const write = (path: string) =>
      agent.makeCall({ tool: 'write', args: { path, content: '' }, session: id });
    const first = write('granted.txt');
    const [question] = await server.questions.whenOpen();
    await server.questions.answer(question!.id, { answer: 'session' });
    expect(await first).toMatchObject({ outcome: 'ok' });
    expect(await write('granted.txt')).toMatchObject({ outcome: 'ok' });
    expect(await agent.closeSession({ id })).toMatchObject({ id, isAlive: false });
    const asked = write('granted.txt');
    const [again] = await server.questions.whenOpen();
    await server.questions.answer(again!.id, { answer: 'deny' });
    expect(await asked).toMatchObject({ outcome: 'denied' });
  });

  it('closes none that is not open here', async () => {
    await expect(agent.closeSession({ id: 'nobody-has-it' })).rejects.toMatchObject({ status: 404 });
  });
});

describe('listTodos', () => {
  it('tells what the agent of a session means to do', async () => {
    const todo = { id: '1', content: 'look', status: 'pending', priority: 'high' };
    const call = { tool: 'todowrite', args: { todos: [todo] }, session: 'plans', dialect: 'coder' };
    const { outcome } = await person.makeCall({ ...call, mode: 'auto' });
    expect(outcome).toBe('ok');
    expect(await agent.listTodos({ id: 'plans' })).toEqual({ todos: [todo] });
  });
});
