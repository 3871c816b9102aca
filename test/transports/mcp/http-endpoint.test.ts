/** MCP over HTTP: sessions and their ends, broken connections, and what is refused before anything is looked at. */
import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { localClock } from '../../../src/host/local/clock.ts';
import { AS, type Serving, serving } from '../http/serving.ts';
import {
  beginSession,
  callOf,
  INITIALIZE,
  MCP_HEADERS,
  open,
  sendIn,
  statelessCall,
} from './fixtures/raw-client.ts';

const LIST = { method: 'tools/list' };
const WRITE = callOf('write', { path: 'a.txt', content: 'new\n' });

async function outcomesOf({ records, runtime }: Serving): Promise<(string | null)[]> {
  await runtime.flush();
  const calls = await records.audit.list({ workspace: runtime.workspace.root, limit: 10 });
  return calls.map(({ outcome }) => outcome);
}

describe('a session', () => {
  it('is one of Handrail, and not that of another client', async () => {
    await using server = await serving();
    const sessions = [await beginSession(server), await beginSession(server)];
    for (const session of [...sessions, sessions[0]!]) await sendIn(server, session, callOf('list', {}));
    await server.runtime.flush();
    const calls = await server.records.audit.list({ workspace: server.workspace.root, limit: 10 });
    const [third, second, first] = calls.map(({ session }) => session);
    expect(third).toBe(first);
    expect(second).not.toBe(first);
  });

  it('is named in every request', async () => {
    await using server = await serving();
    await beginSession(server);
    const send = async (headers: Record<string, string>, method = 'POST'): Promise<number> => {
      const body = method === 'POST' ? JSON.stringify({ jsonrpc: '2.0', id: 1, ...LIST }) : '';
      return (await server.send('/mcp', { method, headers: { ...MCP_HEADERS, ...headers }, body })).status;
    };
    expect(await send({})).toBe(400);
    expect(await send({}, 'GET')).toBe(400);
    expect(await send({}, 'DELETE')).toBe(400);
    expect(await send({ 'mcp-session-id': 'of-somebody' })).toBe(404);
    expect(await send({ 'mcp-session-id': 'of-somebody' }, 'DELETE')).toBe(404);
  });

  it('ends when its client says so, and its calls with it', async () => {
    await using server = await serving();
    const session = await beginSession(server);
    const writing = sendIn(server, session, WRITE);
    const [question] = await server.questions.whenOpen();
    const headers = { ...MCP_HEADERS, 'mcp-session-id': session };
    expect((await server.send('/mcp', { method: 'DELETE', headers })).status).toBe(200);
    await writing;
    expect((await server.questions.find(question!.id))?.state).toBe('expired');
    expect(await outcomesOf(server)).toEqual(['cancelled']);
    expect((await sendIn(server, session, LIST)).status).toBe(404);
  });

  it('gives a client whose connection broke what it missed', async () => {
    await using server = await serving();
    const session = await beginSession(server);
    const headers = { ...MCP_HEADERS, 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 7, ...WRITE });
    const { response, first } = await open(server.url, { headers, body });
    const [question] = await server.questions.whenOpen();
    response.destroy();
    await server.questions.answer(question!.id, { answer: 'once' });
    await expect.poll(() => outcomesOf(server), { timeout: 30_000 }).toEqual(['ok']);
    const lastEvent = /^id: (.+)$/m.exec(first)![1]!;
    const missed = await server.send('/mcp', { headers: { ...headers, 'last-event-id': lastEvent } });
    expect(missed.status).toBe(200);
    expect(missed.body).toMatch(/^data: .*"id":7.*$/m);
  });

  it('ends after an hour without a request, when another one begins', async () => {
    let now = 0;
    await using server = await serving({ ...localClock, monotonic: () => now });
    const [idle, used] = [await beginSession(server), await beginSession(server)];
    now += 50 * 60_000;
    await sendIn(server, used, LIST);
    now += 11 * 60_000;
    await beginSession(server);
    expect((await sendIn(server, idle, LIST)).status).toBe(404);
    expect((await sendIn(server, used, LIST)).status).toBe(200);
  });

  it('makes room for others when it was not used for longest, unless all are in use', async () => {
    let now = 0;
    await using server = await serving({ ...localClock, monotonic: () => ++now });
    const sessions: string[] = [];
    while (sessions.length < 64) sessions.push(await beginSession(server));
    await sendIn(server, sessions[0]!, LIST);
    sessions.push(await beginSession(server));
    expect((await sendIn(server, sessions[1]!, LIST)).status).toBe(404);
    sessions.splice(1, 1);
    const streams = sessions.map(
      (session) =>
        new Promise<{ destroy(): void }>((resolve) => {
          const headers = { ...MCP_HEADERS, 'mcp-session-id': session };
          request(new URL('/mcp', server.url), { headers }, resolve).end();
        }),
    );
    const opened = await Promise.all(streams);
    await expect(beginSession(server)).rejects.toThrow('503');
    for (const stream of opened) stream.destroy();
    await expect.poll(() => beginSession(server), { timeout: 30_000 }).toBeTypeOf('string');
  });
});

describe('a call without a session', () => {
  it('ends when its client is gone', async () => {
    await using server = await serving();
    const sent = request(new URL('/mcp', server.url), {
      method: 'POST',
      headers: statelessCall('write', {}).headers,
    });
    sent.on('error', () => undefined);
    sent.end(statelessCall('write', { path: 'a.txt', content: 'new\n' }).body);
    await server.questions.whenOpen();
    sent.destroy();
    await server.questions.whenOpen(0);
    await expect.poll(() => outcomesOf(server), { timeout: 30_000 }).toEqual(['cancelled']);
  });

  it('belongs to the session of its client, by name', async () => {
    await using server = await serving();
    const send = async (client: string): Promise<void> => {
      const { headers, body } = statelessCall('list', {});
      await server.send('/mcp', { method: 'POST', headers, body: body.replace('"raw"', `"${client}"`) });
    };
    for (const client of ['one', 'other', 'one']) await send(client);
    await server.runtime.flush();
    const calls = await server.records.audit.list({ workspace: server.workspace.root, limit: 10 });
    const [third, second, first] = calls.map(({ session }) => session);
    expect(third).toBe(first);
    expect(second).not.toBe(first);
  });
});

describe('McpEndpoint', () => {
  it('cancels every call when the server ends', async () => {
    const server = await serving();
    const session = await beginSession(server);
    const inSession = sendIn(server, session, WRITE);
    await server.questions.whenOpen(1);
    const { headers, body } = statelessCall('write', { path: 'b.txt', content: 'new\n' });
    const alone = server.send('/mcp', { method: 'POST', headers, body });
    await server.questions.whenOpen(2);
    await server.stop();
    await Promise.allSettled([inSession, alone]);
    expect(await outcomesOf(server)).toEqual(['cancelled', 'cancelled']);
    await server[Symbol.asyncDispose]();
  });

  it.each([
    ['what is no JSON', { ...MCP_HEADERS }, '{', 400],
    ['a form', { ...MCP_HEADERS, 'content-type': 'text/plain' }, '{}', 415],
    ['a batch that begins a session', { ...MCP_HEADERS }, JSON.stringify([INITIALIZE]), 400],
    ['the approval key', { ...MCP_HEADERS, ...AS.person }, JSON.stringify(INITIALIZE), 403],
  ])('refuses %s', async (_what, headers, body, status) => {
    await using server = await serving();
    expect((await server.send('/mcp', { method: 'POST', headers, body })).status).toBe(status);
  });

  it('refuses more than a message may have', async () => {
    await using server = await serving();
    const body = JSON.stringify({ ...INITIALIZE, padding: 'x'.repeat(33 * 1024 * 1024) });
    const { status } = await fetch(new URL('/mcp', server.url), {
      method: 'POST',
      headers: MCP_HEADERS,
      body,
    });
    expect(status).toBe(413);
  });
});
