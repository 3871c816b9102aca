/** Calls over the API, made by clients of a real server. */
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ApiFailure, type Client } from '../../../../src/client/index.ts';
import { shared } from '../../../support/shared.ts';
import { bareApplication, bareSessions, ORIGIN } from '../bare-application.ts';
import { AS, type Serving, serving } from '../serving.ts';

let server: Serving;
let agent: Client;
let person: Client;
shared(async (stack) => {
  server = stack.use(await serving());
  ({ agent, person } = server);
});

describe('makeCall', () => {
  it('answers with the whole response', async () => {
    const response = await agent.makeCall({ tool: 'read', args: { path: 'a.txt' }, id: 'first' });
    expect(response).toMatchObject({
      callId: expect.stringMatching(/^call_/) as string,
      outcome: 'ok',
      result: { tool_call_id: 'first', ok: true },
      effects: [],
    });
    expect(JSON.stringify(response.reply)).toContain('old');
  });

  it('answers with the failure of a tool as with any other end', async () => {
    expect(await agent.makeCall({ tool: 'read', args: { path: 'none.txt' } })).toMatchObject({
      outcome: 'failed',
      result: { ok: false, error: { code: 'E_NOT_FOUND' } },
    });
    expect(await agent.makeCall({ tool: 'no_such_tool', args: {} })).toMatchObject({
      outcome: 'failed',
      result: { error: { code: 'E_NO_TOOL' } },
    });
  });

  it('gives the recorded answer to the same id with the same arguments, and a conflict with others', async () => {
    const call = { tool: 'list', args: { path: '.' }, session: 'resuming', id: 'one' };
    const first = await agent.makeCall(call);
    server.workspace.write('later.txt', '');
    expect(await agent.makeCall(call)).toEqual(first);
    expect(await agent.makeCall({ ...call, args: { path: 'other' } })).toMatchObject({
      outcome: 'failed',
      result: { error: { code: 'E_CONFLICT' } },
    });
    expect((await agent.makeCall({ ...call, session: 'another' })).callId).not.toBe(first.callId);
  });

  it('takes the trace from the header, where the body names none', async () => {
    const traceparent = `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`;
    const headers = { ...AS.agent, traceparent };
    const { body } = await server.post('/api/calls', headers, { tool: 'list', args: {} });
    const { callId } = JSON.parse(body) as { callId: string };
    expect(await agent.showCall({ id: callId })).toMatchObject({ trace_id: 'ab'.repeat(16) });
  });

  it('takes a file of a megabyte, however its characters are written', async () => {
    const content = '\u0001'.repeat(1024 * 1024);
    const call = person.makeCall({ tool: 'write', args: { path: 'large.txt', content }, mode: 'auto' });
    expect(await call).toMatchObject({ outcome: 'ok' });
    expect(readFileSync(join(server.workspace.root, 'large.txt'), 'utf8')).toBe(content);
  });

  it('refuses a body over ten megabytes before it has come', async () => {
    const headers = { ...AS.agent, 'content-type': 'application/json', 'content-length': 11 * 1024 * 1024 };
    const status = await new Promise((resolve, reject) => {
      const sent = request(new URL('/api/calls', server.url), { method: 'POST', headers }, (response) => {
        resolve(response.statusCode);
        sent.destroy();
      });
      sent.on('error', reject);
      sent.write('{');
    });
    expect(status).toBe(413);
  });

  it('lets only a person choose a mode that asks less', async () => {
    const call = { tool: 'list', args: {}, session: 'loose', mode: 'auto' } as const;
    await expect(agent.makeCall(call)).rejects.toMatchObject({ status: 403, code: 'E_DENIED' });
    expect(await agent.makeCall({ ...call, session: 'strict', mode: 'read-only' })).toMatchObject({
      outcome: 'ok',
    });
    expect(await person.makeCall(call)).toMatchObject({ outcome: 'ok' });
    // What a person opened is there to be used, but not what calls are in that name no session.
    expect(await agent.makeCall({ ...call, mode: undefined })).toMatchObject({ outcome: 'ok' });
    await person.makeCall({ ...call, session: undefined });
    await expect(agent.makeCall({ tool: 'list', args: {}, session: 'api-auto' })).rejects.toMatchObject({
      status: 403,
      code: 'E_DENIED',
    });
  });

  it('says so where its session is open in another way', async () => {
    await agent.makeCall({ tool: 'list', args: {}, session: 'speaks', dialect: 'handrail' });
    const other = agent.makeCall({ tool: 'list_files', args: {}, session: 'speaks', dialect: 'codelab' });
    await expect(other).rejects.toMatchObject({ status: 409, code: 'E_CONFLICT' });
  });

  it('gives every one of many clients its own answers', async () => {
    const numbers = Array.from({ length: 150 }, (_, index) => index);
    for (const number of numbers) server.workspace.write(`many/${number}.txt`, `content ${number}.`);
    const read = async (session: string, number: number): Promise<string> => {
      const args = { path: `many/${number}.txt` };
      const { result, reply } = await agent.makeCall({ tool: 'read', args, session, id: `n${number}` });
      return `${result.tool_call_id} ${/content \d+\./.exec(JSON.stringify(reply))?.[0]}`;
    };
    const readAll = async (session: string): Promise<string[]> => {
      const answers: string[] = [];
      for (let from = 0; from < numbers.length; from += 50)
        answers.push(
          ...(await Promise.all(numbers.slice(from, from + 50).map((number) => read(session, number)))),
        );
      return answers;
    };
    const expected = numbers.map((number) => `n${number} content ${number}.`);
    expect(await Promise.all([readAll('left'), readAll('right')])).toEqual([expected, expected]);
  });
});

describe('executeCall', () => {
  it('runs a whole request, and resumes by its id', async () => {
    const call = {
      session: 'whole',
      request: { tool_call_id: 'w1', name: 'read', args: { path: 'a.txt' }, trace_id: 'of-the-request' },
    };
    const first = await agent.executeCall(call);
    expect(first).toMatchObject({ outcome: 'ok', result: { tool_call_id: 'w1' } });
    expect(await agent.executeCall(call)).toEqual(first);
    expect(await agent.showCall({ id: first.callId })).toMatchObject({ trace_id: 'of-the-request' });
  });

  it('answers what is no request with a failure that is on record', async () => {
    const { outcome, result, callId } = await agent.executeCall({ request: { name: 'read' } });
    expect([outcome, result.error?.code]).toEqual(['failed', 'E_INVALID_ARGS']);
    expect(await agent.showCall({ id: callId })).toMatchObject({ outcome: 'failed' });
  });
});

describe('cancelCall', () => {
  it('cancels a call by the id that its caller gave it', async () => {
    const call = agent.makeCall({
      tool: 'write',
      args: { path: 'asked.txt', content: '' },
      id: 'mine',
      session: 'waits',
    });
    await server.questions.whenOpen();
    await expect(agent.cancelCall({ id: 'mine', session: 'other' })).rejects.toMatchObject({ status: 404 });
    expect(await agent.cancelCall({ id: 'mine', session: 'waits' })).toEqual({ cancelled: true });
    expect(await call).toMatchObject({ outcome: 'cancelled' });
  });

  it('cancels a call of whoever by its own id', async () => {
    const { question, call } = await server.askedWrite();
    const { callId: id } = JSON.parse(question.request) as { callId: string };
    await agent.cancelCall({ id });
    expect(await call).toMatchObject({ outcome: 'cancelled' });
    await expect(agent.cancelCall({ id })).rejects.toMatchObject({ status: 404, code: 'E_NOT_FOUND' });
  });
});

describe('a client that goes away', () => {
  const write = { tool: 'write', args: { path: 'gone.txt', content: 'here\n' } };

  it('cancels its call where it gave it no id', async () => {
    const gone = new AbortController();
    const call = agent.makeCall({ ...write, session: 'leaves' }, { signal: gone.signal });
    await server.questions.whenOpen();
    gone.abort();
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    await expect
      .poll(async () => (await agent.listCalls({ session: 'leaves' })).calls.map(({ outcome }) => outcome))
      .toEqual(['cancelled']);
  });

  it('finds the answer with the same id when it is back', async () => {
    const gone = new AbortController();
    const call = { ...write, session: 'returns', id: 'again' };
    const lost = agent.makeCall(call, { signal: gone.signal });
    const [question] = await server.questions.whenOpen();
    gone.abort();
    await expect(lost).rejects.toMatchObject({ name: 'AbortError' });
    await server.questions.answer(question!.id, { answer: 'once' });
    expect(await agent.makeCall(call)).toMatchObject({ outcome: 'ok', result: { tool_call_id: 'again' } });
    expect((await agent.listCalls({ session: 'returns' })).calls).toHaveLength(1);
  });
});

describe('a server that is stopped', () => {
  const write = { tool: 'write', args: { path: 'kept.txt', content: 'here\n' }, session: 'stopped' };

  it('leaves the question of a call with an id open: the same call goes on with it after a restart', async () => {
    const call = { ...write, id: 'asked' };
    const cut = agent.makeCall(call).catch((error: unknown) => error);
    const [question] = await server.questions.whenOpen();
    await server.stop();
    expect(await cut).toBeInstanceOf(ApiFailure);
    await server.startAgain();
    const { approvals } = await person.listApprovals({});
    expect(approvals.map(({ id }) => id)).toEqual([question!.id]);
    await person.answerApproval({ id: question!.id, answer: 'once' });
    expect(await agent.makeCall(call)).toMatchObject({ outcome: 'ok', result: { tool_call_id: 'asked' } });
    expect(readFileSync(join(server.workspace.root, 'kept.txt'), 'utf8')).toBe('here\n');
  });

  it('tells who still hears it to send the call again', async () => {
    const sessions = bareSessions();
    const body = JSON.stringify({ ...write, id: 'heard' });
    const headers = { ...AS.agent, host: new URL(ORIGIN).host, 'content-type': 'application/json' };
    const app = bareApplication(server, sessions);
    const answer = app.request(`${ORIGIN}/api/calls`, { method: 'POST', headers, body });
    const [question] = await server.questions.whenOpen();
    await sessions[Symbol.asyncDispose]();
    const refused = await answer;
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({ error: { code: 'E_CANCELLED' } });
    await server.questions.answer(question!.id, { answer: 'deny' });
  });

  it('closes that of a call without one: nobody comes back for it', async () => {
    // Another one than before: the answer that was left to that would be its own.
    const other = { ...write, args: { ...write.args, path: 'other.txt' } };
    const cut = agent.makeCall(other).catch(() => undefined);
    await server.questions.whenOpen();
    await server.stop();
    await cut;
    expect(await server.questions.pending()).toEqual([]);
    await server.startAgain();
  });
});

describe('showCall', () => {
  it('tells the arguments to persons alone', async () => {
    const { callId: id } = await agent.makeCall({ tool: 'read', args: { path: 'not-there-at-all.txt' } });
    expect(JSON.stringify(await person.showCall({ id }))).toContain('not-there-at-all');
    expect(JSON.stringify(await agent.showCall({ id }))).not.toContain('not-there-at-all');
  });

  it('tells of a call that is under way what is known so far, and knows no other', async () => {
    const { question, call } = await server.askedWrite();
    const { callId: id } = JSON.parse(question.request) as { callId: string };
    expect(await person.showCall({ id })).toMatchObject({
      event: 'opened',
      args: { path: 'a.txt', content: 'new\n' },
    });
    await server.questions.answer(question.id, { answer: 'deny' });
    await call;
    await expect(person.showCall({ id: 'call_none' })).rejects.toMatchObject({ status: 404 });
  });
});
