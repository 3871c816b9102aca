import { readFileSync } from 'node:fs';
import { connect as connectTcp } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shared } from '../../support/shared.ts';
import { type TempWorkspace, tempWorkspace } from '../../support/temp-workspace.ts';
import { type Client, type Message, socketServer, type SocketServer, TOKEN } from './socket-server.ts';

let workspace: TempWorkspace;
let server: SocketServer;

shared(async (stack) => {
  workspace = stack.use(tempWorkspace({ 'a.txt': 'a\n', 'large.txt': 'x'.repeat(500_000) }));
  server = stack.use(
    await socketServer(workspace, {
      mode: 'auto',
      socketLimits: {
        pauseBytes: 100_000,
        closeBytes: 4_000_000,
        keptMessages: 500,
        keptBytes: 1_000_000,
      },
    }),
  );
});

const results = ({ received }: Client): string[] =>
  received.flatMap(({ type, call_id }) => (type === 'tool_result' ? [String(call_id)] : []));

describe('resume', () => {
  it('sends what a client lacks, once, and in order', async () => {
    const first = await server.connect('/ws/lacking');
    await first.call('c1', 'read_file', { path: 'a.txt' });
    const { seq } = first;
    await first.call('c2', 'read_file', { path: 'a.txt' });
    await first.call('c3', 'read_file', { path: 'a.txt' });
    first.cut();
    const second = await server.connect(`/ws/lacking?after=${seq}`);
    await second.whenGot({ call_id: 'c3' });
    expect(results(second)).toEqual(['c2', 'c3']);
    const all = await server.connect('/ws/lacking?after=0');
    await all.whenGot({ call_id: 'c3' });
    expect(results(all)).toEqual(['c1', 'c2', 'c3']);
    second.cut();
    all.cut();
  });

  it('forgets what was acknowledged, and says so to who lacks it', async () => {
    const first = await server.connect('/ws/acknowledged');
    await first.call('c1', 'read_file', { path: 'a.txt' });
    const { seq } = first;
    await first.call('c2', 'read_file', { path: 'a.txt' });
    first.send({ type: 'ack', seq: first.seq });
    await first.call('c3', 'read_file', { path: 'a.txt' });
    first.cut();
    const second = await server.connect(`/ws/acknowledged?after=${seq}`);
    await second.whenGot({ call_id: 'c3' });
    expect(second.received).toMatchObject([
      { type: 'error', error_code: 'MISSED' },
      { type: 'tool_result', call_id: 'c3' },
    ]);
    second.cut();
  });

  it('keeps no more than fits, and knows a number of another life', async () => {
    const first = await server.connect('/ws/much');
    for (const id of ['c1', 'c2', 'c3']) await first.call(id, 'read_file', { path: 'large.txt' });
    first.cut();
    const second = await server.connect('/ws/much?after=0');
    await second.whenGot({ call_id: 'c3' });
    expect(second.received.map(({ error_code, call_id }) => error_code ?? call_id)).toEqual(['MISSED', 'c3']);
    const third = await server.connect('/ws/much?after=57');
    await third.whenGot({ call_id: 'c3' });
    expect(third.received[0]).toMatchObject({ error_code: 'MISSED' });
    second.cut();
    third.cut();
  });

  it('loses and repeats no call, wherever the connection is cut', async () => {
    const made = new Map<string, Message>();
    const answered = new Map<string, Message>();
    let seq = 0;
    let started = 0;
    using _listening = {
      [Symbol.dispose]: server.runtime.subscribe(({ type }) => {
        if (type === 'call-started') started++;
      }),
    };
    for (let round = 0; answered.size < 60; round++) {
      const client = await server.connect(`/ws/cut?after=${seq}`);
      for (let number = made.size; made.size < Math.min(60, 10 * (round + 1)); number++) {
        const path = `made-${number}.txt`;
        made.set(`c${number}`, {
          type: 'tool_call',
          call_id: `c${number}`,
          tool_name: 'write_file',
          args: { path, content: `${number}\n` },
        });
      }
      for (const [id, call] of made) if (!answered.has(id)) client.send(call);
      // By then some are on their way there, some run, and some results are on their way back.
      const few = Math.floor(Math.random() * 8);
      await expect
        .poll(() => results(client).length >= Math.min(few, made.size - answered.size), { interval: 1 })
        .toBe(true);
      client.cut();
      await client.closed;
      seq = Math.max(seq, client.seq);
      for (const message of client.received)
        if (message['type'] === 'tool_result') answered.set(String(message['call_id']), message);
    }
    const bad = [...answered.values()].filter((message) => !('result' in message));
    expect(bad).toEqual([]);
    for (let number = 0; number < 60; number++)
      expect(readFileSync(join(workspace.root, `made-${number}.txt`), 'utf8')).toBe(`${number}\n`);
    expect(started).toBe(60);
  });

  it('gives up a connection that reads too slowly, and keeps what it lacks', async () => {
    const slow = await server.connect('/ws/slow');
    slow.socket.pause();
    const other = await server.connect('/ws/slow');
    for (let number = 0; number < 40; number++)
      await other.call(`c${number}`, 'read_file', { path: 'large.txt' });
    slow.socket.resume();
    expect(await slow.closed).toEqual({
      code: 1013,
      reason: 'You read too slowly: come back with ?after= and the last seq you have.',
    });
    const back = await server.connect(`/ws/slow?after=${slow.seq}`);
    await back.whenGot({ call_id: 'c39' });
    other.cut();
    back.cut();
  });

  it('makes the calls of one who does not read when it reads again', async () => {
    const socketLimits = { atOnce: 1, pauseBytes: 100_000, closeBytes: 4_000_000 };
    await using strict = await socketServer(workspace, { mode: 'auto', socketLimits });
    const slow = await strict.connect('/ws/waiting');
    slow.socket.pause();
    const ids = Array.from({ length: 100 }, (_, number) => `c${number}`);
    for (const call_id of ids)
      slow.send({ type: 'tool_call', call_id, tool_name: 'read_file', args: { path: 'large.txt' } });
    const other = await strict.connect('/ws/not-waiting');
    for (let number = 0; number < 40; number++)
      await other.call(`c${number}`, 'read_file', { path: 'large.txt' });
    slow.socket.resume();
    await Promise.all(ids.map((call_id) => slow.whenGot({ call_id })));
    expect(results(slow).toSorted()).toEqual(ids.toSorted());
    slow.cut();
    other.cut();
  });

  it('ends a connection that answers no ping', async () => {
    await using quick = await socketServer(workspace, { socketLimits: { heartbeatMs: 50 } });
    const dead = await new Promise<boolean>((resolve, reject) => {
      const socket = connectTcp(quick.port, '127.0.0.1', () =>
        socket.write(
          [
            'GET /ws/dead HTTP/1.1',
            `Host: 127.0.0.1:${quick.port}`,
            'Connection: Upgrade',
            'Upgrade: websocket',
            'Sec-WebSocket-Version: 13',
            'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
            `Authorization: Bearer ${TOKEN}`,
            '',
            '',
          ].join('\r\n'),
        ),
      );
      let isOpen = false;
      socket.on('data', (data: Buffer) => (isOpen ||= data.toString().startsWith('HTTP/1.1 101')));
      socket.on('close', () => resolve(isOpen));
      socket.on('error', reject);
    });
    expect(dead).toBe(true);
  });
});
