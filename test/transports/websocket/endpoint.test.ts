/** Sessions of the WebSocket as the whole server has them: many at once, and those that nobody comes back to. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { handrailClient } from '../../../src/client/index.ts';
import { scaled } from '../../support/scale.ts';
import { type TempWorkspace, tempWorkspace } from '../../support/temp-workspace.ts';
import { type Client, type Message, socketServer, TOKEN } from './socket-server.ts';

/** Each is two open files of this process. */
const SESSIONS = scaled(400);
const AT_ONCE = 50;

let workspace: TempWorkspace;

beforeAll(() => {
  workspace = tempWorkspace({ 'a.txt': 'a\n' });
});

afterAll(() => workspace[Symbol.asyncDispose]());

describe('WebSocketEndpoint', () => {
  it('has many sessions open at once, and answers each of them alone', async () => {
    await using server = await socketServer(workspace, { mode: 'auto' });
    const clients: Client[] = [];
    while (clients.length < SESSIONS) {
      const few = Array.from({ length: Math.min(AT_ONCE, SESSIONS - clients.length) }, (_, index) =>
        server.connect(`/ws/many-${clients.length + index}`),
      );
      clients.push(...(await Promise.all(few)));
    }
    expect(await server.figure('handrail_websocket_connections')).toBe(SESSIONS);
    const call = (client: Client, index: number): Promise<Message> =>
      client.call(`c${index}`, 'read_file', { path: 'a.txt' });
    await Promise.all(clients.map(call));
    expect(clients.map(({ received }) => received.map(({ call_id }) => call_id))).toEqual(
      clients.map((_, index) => [`c${index}`]),
    );
    for (const client of clients) client.cut();
    await expect.poll(() => server.figure('handrail_websocket_connections')).toBe(0);
  });

  it('lists a session that nobody comes back to as alive for as long as it is open over the API', async () => {
    const socketLimits = { heartbeatMs: 20, idleMs: 100 };
    await using server = await socketServer(workspace, { mode: 'auto', socketLimits });
    const api = handrailClient({ url: `http://127.0.0.1:${server.port}`, token: TOKEN });
    const isAlive = async (id: string): Promise<boolean> => (await api.showSession({ id })).isAlive;
    await api.openSession({ id: 'shared', dialect: 'codelab' });
    for (const session of ['shared', 'own']) {
      const client = await server.connect(`/ws/${session}`);
      expect(await isAlive(session)).toBe(true);
      client.cut();
    }
    await expect.poll(() => isAlive('own')).toBe(false);
    await expect.poll(() => server.figure('handrail_sessions_open{transport="websocket"}')).toBe(0);
    expect(await isAlive('shared')).toBe(true);
    expect(await api.closeSession({ id: 'shared' })).toMatchObject({ isAlive: false });
  });
});
