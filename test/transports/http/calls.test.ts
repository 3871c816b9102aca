import { describe, expect, it } from 'vitest';
import { tempWorkspace } from '../../support/temp-workspace.ts';
import { AS, serving } from './serving.ts';

describe('GET /calls/:id', () => {
  it('tells what a call was given, what it touched and how it ended', async () => {
    await using server = await serving();
    const { callId } = await server.runtime.call('read', { path: 'none.txt' });
    await server.runtime.flush();
    const { status, body } = await server.send(`/calls/${callId}`, { headers: AS.agent });
    expect({ status, body: JSON.parse(body) as unknown }).toMatchObject({
      status: 200,
      body: {
        event: 'closed',
        args: { path: 'none.txt' },
        accesses: [{ permission: 'fs.read', resource: 'none.txt' }],
        outcome: 'failed',
        error: { code: 'E_NOT_FOUND' },
      },
    });
  });

  it('tells of a call that is under way what is known so far', async () => {
    await using server = await serving();
    const { question } = await server.askedWrite();
    await server.runtime.flush();
    const { callId } = JSON.parse(question.request) as { callId: string };
    const { body } = await server.send(`/calls/${callId}`, { headers: AS.agent });
    expect(JSON.parse(body)).toMatchObject({ event: 'opened', args: { path: 'a.txt', content: 'new\n' } });
  });

  it('knows only calls of its workspace', async () => {
    await using server = await serving();
    await using other = tempWorkspace({ 'a.txt': 'old\n' });
    const elsewhere = await other.runtime({ locations: server.workspace.locations });
    const { callId } = await elsewhere.call('read', { path: 'a.txt' });
    await elsewhere.flush();
    for (const id of [callId, 'call_none'])
      expect((await server.send(`/calls/${id}`, { headers: AS.person })).status).toBe(404);
  });

  it.each([
    ['nobody', {}, 401],
    ['another name', { ...AS.agent, host: 'evil.test' }, 421],
    ['another page', { ...AS.agent, origin: 'http://evil.test' }, 403],
  ])('tells nothing to %s', async (_who, headers, status) => {
    await using server = await serving();
    const { callId } = await server.runtime.call('read', { path: 'a.txt' });
    await server.runtime.flush();
    expect(await server.send(`/calls/${callId}`, { headers })).toMatchObject({
      status,
      body: expect.not.stringContaining('a.txt'),
    });
  });
});
