/** The WebSocket client against a real server, and over connections that are cut. */
import { readFileSync } from 'node:fs';
import { connect as connectTo, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ApiFailure, HandrailSocket, type SocketOptions } from '../../src/client/index.ts';
import { shared } from '../support/shared.ts';
import { type Serving, serving, TOKEN } from '../transports/http/serving.ts';

/** A way to the server that can be cut, and held so that nothing comes through. */
async function wire(port: number, ownPort = 0) {
  const sockets = new Set<Socket>();
  let isHeld = false;
  const server: Server = createServer((incoming) => {
    const outgoing = connectTo(port, '127.0.0.1');
    for (const [one, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(one);
      one.on('data', (chunk: Buffer) => isHeld || other.write(renamed(chunk, ownName, name), 'latin1'));
      one.on('close', () => other.destroy());
      one.on('error', () => undefined);
    }
  });
  await new Promise<void>((resolve) => server.listen(ownPort, '127.0.0.1', resolve));
  const { port: taken } = server.address() as { port: number };
  const [name, ownName] = [`127.0.0.1:${port}`, `127.0.0.1:${taken}`];
  return {
    port: taken,
    cut() {
      isHeld = false;
      for (const socket of sockets) socket.destroy();
      sockets.clear();
    },
    hold: () => void (isHeld = true),
    let: () => void (isHeld = false),
    async [Symbol.asyncDispose]() {
      this.cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The server answers to its own name only. */
function renamed(chunk: Buffer, from: string, to: string): string {
  return chunk.toString('latin1').replace(`host: ${from}`, `host: ${to}`);
}

let server: Serving;
shared(async (stack) => {
  server = stack.use(await serving());
});

const socketTo = (session: string, options: Partial<SocketOptions> = {}): HandrailSocket =>
  new HandrailSocket({ url: server.url.origin, token: TOKEN, session, ...options });

describe('HandrailSocket', () => {
  it('makes calls, and gets each its own result', async () => {
    await using socket = socketTo('ses_calls');
    const results = await Promise.all([
      socket.call('read_file', { path: 'a.txt' }),
      socket.call('read_file', { path: 'none.txt' }),
    ]);
    expect(results).toMatchObject([
      { result: { content: 'old\n' } },
      { error: { code: expect.any(String) as string } },
    ]);
  });

  it('closes with what the server refused it with', async () => {
    const { promise, resolve } = Promise.withResolvers<ApiFailure | undefined>();
    await using socket = socketTo('ses_stranger', {
      token: 'wrong-token-0123456789',
      onState: (state, why) => state === 'closed' && resolve(why),
    });
    await expect(socket.call('read_file', { path: 'a.txt' })).rejects.toMatchObject({ status: 401 });
    expect(await promise).toMatchObject({ name: 'ApiFailure', status: 401 });
    await expect(socket.call('read_file', { path: 'a.txt' })).rejects.toMatchObject({ status: 401 });
  });

  it('closes where there is no such project', async () => {
    await using socket = socketTo('ses_nowhere', { project: 'nowhere' });
    await expect(socket.call('read_file', { path: 'a.txt' })).rejects.toMatchObject({ status: 404 });
  });

  it('goes on after a lost connection: the call is answered, and ran once', async () => {
    await using way = await wire(Number(server.url.port));
    const states: string[] = [];
    await using socket = socketTo('ses_lost', {
      url: `http://127.0.0.1:${way.port}`,
      onState: (state) => states.push(state),
    });
    const call = socket.call('write_file', { path: 'b.txt', content: 'new\n' }, { id: 'call-over-two' });
    const [question] = await server.questions.whenOpen();
    way.cut();
    await expect.poll(() => states).toEqual(['open', 'lost', 'open']);
    await server.questions.answer(question!.id, { answer: 'once' });
    expect(await call).toMatchObject({ call_id: 'call-over-two' });
    expect(readFileSync(join(server.workspace.root, 'b.txt'), 'utf8')).toBe('new\n');
    expect(await server.questions.all()).toHaveLength(1);
  });

  it('notices a connection that is dead without saying so', async () => {
    await using way = await wire(Number(server.url.port));
    const states: string[] = [];
    await using socket = socketTo('ses_dead', {
      url: `http://127.0.0.1:${way.port}`,
      beatMs: 50,
      onState(state) {
        if (states.push(state) === 1) way.hold();
        if (state === 'lost') way.let();
      },
    });
    await expect.poll(() => states).toContain('lost');
    expect(await socket.call('read_file', { path: 'a.txt' })).toMatchObject({ result: { content: 'old\n' } });
  });

  it('waits for a server that is not there yet', async () => {
    const { port } = await wire(0).then(async (way) => {
      await way[Symbol.asyncDispose]();
      return way;
    });
    await using socket = socketTo('ses_early', { url: `http://127.0.0.1:${port}` });
    const call = socket.call('read_file', { path: 'a.txt' });
    await using _way = await wire(Number(server.url.port), port);
    expect(await call).toMatchObject({ result: { content: 'old\n' } });
  });

  it('rejects what has no result yet when it is closed', async () => {
    const socket = socketTo('ses_closed', { url: 'http://127.0.0.1:1' });
    const call = socket.call('read_file', { path: 'a.txt' });
    socket.close();
    await expect(call).rejects.toThrow('The connection was closed.');
  });
});
