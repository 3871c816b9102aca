import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { shared } from '../../support/shared.ts';
import { cookieOf, sendTo } from '../http/serving.ts';
import { type TempWorkspace, tempWorkspace } from '../../support/temp-workspace.ts';
import { AGENT, connect, KEY, PERSON, socketServer, type SocketServer } from './socket-server.ts';

let workspace: TempWorkspace;
let server: SocketServer;

shared(async (stack) => {
  workspace = stack.use(tempWorkspace({ 'src/config.js': 'const config = {};\n' }));
  server = stack.use(await socketServer(workspace, { mode: 'auto' }));
});

/** The status of the plain answer to a request to upgrade; undefined where it was accepted. */
function refusal(path: string, headers: Readonly<Record<string, string>>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${server.url}${path}`, { headers });
    socket.on('unexpected-response', (_request, response) => resolve(response.statusCode));
    socket.on('open', () => {
      socket.close();
      resolve(undefined);
    });
    socket.on('error', reject);
  });
}

describe('WebSocketEndpoint', () => {
  it('refuses to upgrade what the gate refuses, with plain HTTP', async () => {
    const own = `http://127.0.0.1:${server.port}`;
    const cookie = cookieOf({ host: `127.0.0.1:${server.port}` });
    const statuses = {
      'no token': await refusal('/ws/s1', {}),
      'a wrong token': await refusal('/ws/s1', { authorization: 'Bearer of-something-else-0123' }),
      'another page': await refusal('/ws/s1', { ...AGENT, origin: 'http://evil.example' }),
      'a page of another port': await refusal('/ws/s1', { cookie, origin: 'http://127.0.0.1:9' }),
      'another name': await refusal('/ws/s1', { ...AGENT, host: 'evil.example' }),
      'a cookie alone': await refusal('/ws/s1', { cookie }),
      'a wrong approval key': await refusal('/ws/s1', { ...AGENT, 'handrail-approval': 'x'.repeat(20) }),
      'no session': await refusal('/ws/a%20b', AGENT),
      'an unknown role': await refusal('/ws/s1?role=boss', AGENT),
      'an unknown project': await refusal('/ws/s1?project=nowhere', AGENT),
      'an unknown dialect': await refusal('/ws/s1b?dialect=klingon', AGENT),
      'another place': await refusal('/elsewhere', AGENT),
      'the token': await refusal('/ws/s1', AGENT),
      'the own page': await refusal('/ws/s1', { cookie, origin: own }),
      'the approval key': await refusal('/ws/s1', PERSON),
    };
    expect(statuses).toEqual({
      'no token': 401,
      'a wrong token': 401,
      'another page': 403,
      'a page of another port': 403,
      'another name': 421,
      'a cookie alone': 401,
      'a wrong approval key': 403,
      'no session': 400,
      'an unknown role': 400,
      'an unknown project': 404,
      'an unknown dialect': 409,
      'another place': 404,
      'the token': undefined,
      'the own page': undefined,
      'the approval key': undefined,
    });
  });

  it('takes the approval key as a protocol, and never says it back', async () => {
    const socket = new WebSocket(`${server.url}/ws/s2`, ['handrail', `handrail.approval.${KEY}`], {
      headers: { ...AGENT },
    });
    const client = await connect(socket);
    expect(socket.protocol).toBe('handrail');
    client.send({ type: 'hitl_decision', call_id: 'x', decision: 'approve' });
    expect(await client.whenGot({ type: 'error' })).toMatchObject({ error_code: expect.any(String) });
    client.cut();
  });

  it('says to a plain request what it is', async () => {
    const url = new URL(`http://127.0.0.1:${server.port}/ws/s1`);
    expect(await sendTo(url, { headers: AGENT })).toMatchObject({
      status: 426,
      headers: { upgrade: 'websocket' },
    });
  });

  it('answers each thing that is wrong, and stays open', async () => {
    const client = await server.connect('/ws/wrong');
    const say = async (text: string): Promise<unknown> => {
      const before = client.received.length;
      client.socket.send(text);
      await expect.poll(() => client.received.length, { interval: 5 }).toBe(before + 1);
      const { seq, ...message } = client.received.at(-1)!;
      expect(seq).toBeTypeOf('number');
      return message;
    };
    const error = (error_code: string, content: unknown, about: object = {}): object => ({
      type: 'error',
      error_code,
      content,
      ...about,
    });
    expect(await say('{"type":')).toEqual(
      error('INVALID_FORMAT', expect.stringMatching(/^Invalid JSON message: /)),
    );
    expect(await say('[]')).toEqual(error('INVALID_FORMAT', 'Invalid JSON message: it is not an object'));
    expect(await say('{}')).toEqual(error('MISSING_FIELD', 'A message needs a type.'));
    expect(await say('{"type":"dance"}')).toEqual(error('INVALID_TYPE', 'Unknown message type: dance'));
    expect(await say('{"type":"__proto__"}')).toEqual(
      error('INVALID_TYPE', 'Unknown message type: __proto__'),
    );
    expect(await say('{"type":"tool_call","tool_name":"read_file","message_id":"m1"}')).toEqual(
      error('MISSING_FIELD', 'tool_call needs call_id.', { message_id: 'm1' }),
    );
    expect(await say('{"type":"tool_call","tool_name":"read_file","call_id":7}')).toEqual(
      error('INVALID_CALL_ID', expect.stringContaining('call_id of tool_call')),
    );
    expect(
      await say('{"type":"tool_call","tool_name":"read_file","call_id":"c","args":{},"arguments":{}}'),
    ).toEqual(error('INVALID_FORMAT', 'tool_call takes args or arguments, not both.', { call_id: 'c' }));
    expect(await say(JSON.stringify({ type: 'user_message', content: 'x'.repeat(10_001) }))).toEqual(
      error('INVALID_FORMAT', expect.stringContaining('content of user_message')),
    );
    expect(await say('{"type":"context_update","action":"clear","data":{}}')).toEqual(
      error('UNSUPPORTED', 'This server does not take messages of the type context_update.'),
    );
    client.socket.send(Buffer.from('{}'), { binary: true });
    expect(await client.whenGot({ content: 'Send text: bytes are no message.' })).toMatchObject({
      error_code: 'INVALID_FORMAT',
    });
    expect(await client.call('c1', 'read_file', { path: 'src/config.js' })).toMatchObject({
      result: { content: 'const config = {};\n' },
    });
    client.cut();
  });

  it('runs calls, and answers them as the dialect does', async () => {
    const client = await server.connect('/ws/calls');
    expect(await client.call('call_001', 'read_file', { path: 'src/config.js' })).toEqual({
      type: 'tool_result',
      call_id: 'call_001',
      result: expect.objectContaining({ content: 'const config = {};\n', encoding: 'utf-8' }),
      seq: expect.any(Number),
    });
    expect(await client.call('call_002', 'read_file', { path: 'src/none.js' })).toMatchObject({
      error: { code: 'FILE_NOT_FOUND' },
    });
    client.send({
      type: 'tool_call',
      call_id: 'call_003',
      tool_name: 'list_files',
      arguments: { path: 'src' },
    });
    expect(await client.whenGot({ call_id: 'call_003' })).toHaveProperty('result');
    const other = await server.connect('/ws/coder?dialect=coder');
    expect(await other.call('c', 'read', { path: 'src/config.js' })).toMatchObject({
      type: 'tool_result',
      call_id: 'c',
      result: { ok: true },
    });
    client.cut();
    other.cut();
  });

  it('speaks one dialect in a session', async () => {
    const client = await server.connect('/ws/one-dialect?dialect=coder');
    expect(await refusal('/ws/one-dialect?dialect=tenas', AGENT)).toBe(409);
    expect(await refusal('/ws/one-dialect', AGENT)).toBe(undefined);
    client.cut();
  });

  it('gives the same result to the same call, and a conflict to another one with its id', async () => {
    const client = await server.connect('/ws/again');
    const args = { path: 'made.txt', content: 'once\n' };
    const first = await client.call('c1', 'write_file', args);
    await server.runtime.call('write', { path: 'made.txt', content: 'twice\n' });
    const again = await server.connect('/ws/again');
    expect(await again.call('c1', 'write_file', args)).toEqual({ ...first, seq: expect.any(Number) });
    expect(readFileSync(join(workspace.root, 'made.txt'), 'utf8')).toBe('twice\n');
    const third = await server.connect('/ws/again');
    expect(await third.call('c1', 'write_file', { ...args, content: 'other\n' })).toMatchObject({
      error: { code: 'CONFLICT' },
    });
    for (const one of [client, again, third]) one.cut();
  });

  it('acknowledges messages that have an id, and does each once', async () => {
    const client = await server.connect('/ws/acks');
    const message = { message_id: 'm1', type: 'tool_call', call_id: 'c1', tool_name: 'read_file' };
    client.send({ ...message, args: { path: 'src/config.js' } });
    await client.whenGot({ type: 'tool_result', call_id: 'c1' });
    client.send({ ...message, args: { path: 'src/config.js' } });
    client.send({ type: 'dance' });
    await client.whenGot({ type: 'error' });
    const withoutSeq = client.received.map(({ type, status, message_id }) => ({ type, status, message_id }));
    const ack = { type: 'ack', status: 'received', message_id: 'm1' };
    expect(withoutSeq).toEqual([ack, { type: 'tool_result' }, ack, { type: 'error' }]);
    client.cut();
  });

  it('closes a connection with a message of more than 10 MB, and says why', async () => {
    const client = await server.connect('/ws/large');
    client.socket.send('x'.repeat(10 * 1024 * 1024 + 1));
    expect(await client.closed).toEqual({ code: 1009, reason: 'A message may have 10 MB.' });
  });
});
