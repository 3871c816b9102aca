import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KeptBudget } from '../../../src/transports/websocket/kept-budget.ts';
import { Outbox } from '../../../src/transports/websocket/outbox.ts';
import { type TempWorkspace, tempWorkspace } from '../../support/temp-workspace.ts';
import { type Client, type Message, socketServer, type SocketServer } from './socket-server.ts';

const MOST = 10_000;
const OWN = { keptMessages: 100, keptBytes: 4_000 };

const message = (length: number): object => ({ text: 'x'.repeat(length) });
const outboxes = (budget: KeptBudget, count: number): Outbox[] =>
  Array.from({ length: count }, () => new Outbox(1, OWN, budget));

describe('KeptBudget', () => {
  it('holds for any number of outboxes, with somebody there and without', () => {
    const budget = new KeptBudget(MOST);
    const all = outboxes(budget, 50);
    for (let turn = 0; turn < 2_000; turn++) {
      const outbox = all[(turn * 7) % all.length]!;
      if (turn % 5 === 0) budget.enter(outbox);
      if (turn % 3 === 0) budget.leave(outbox);
      // One in a hundred is more than an outbox may keep.
      outbox.add(message(turn % 100 === 0 ? 5_000 : (turn * 31) % 900));
      expect(budget.size).toBeLessThanOrEqual(MOST);
    }
    expect(all.reduce((sum, { size }) => sum + size, 0)).toBe(budget.size);
    for (const outbox of all) outbox.clear();
    expect(budget.size).toBe(0);
  });

  it('takes from who left first, then from who left next, and from who is here last', () => {
    const budget = new KeptBudget(MOST);
    const [here, second, first] = outboxes(budget, 3) as [Outbox, Outbox, Outbox];
    for (const outbox of [here, first, second]) {
      budget.enter(outbox);
      outbox.add(message(3_000));
    }
    budget.leave(first);
    budget.leave(second);
    here.add(message(500));
    const sizes = (): boolean[] => [first, second, here].map(({ size }) => size > 0);
    expect(sizes()).toEqual([true, true, true]);
    here.add(message(400));
    expect(sizes()).toEqual([false, true, true]);
    const [other] = outboxes(budget, 1) as [Outbox];
    budget.enter(other);
    other.add(message(3_900));
    expect(sizes()).toEqual([false, false, true]);
  });

  it('takes from who keeps most while nobody is away', () => {
    const budget = new KeptBudget(MOST);
    const [much, little, late] = outboxes(budget, 3) as [Outbox, Outbox, Outbox];
    for (const outbox of [much, little, late]) budget.enter(outbox);
    for (let count = 0; count < 4; count++) much.add(message(950));
    for (let count = 0; count < 3; count++) little.add(message(900));
    const before = little.size;
    for (let count = 0; count < 4; count++) late.add(message(900));
    expect(budget.size).toBeLessThanOrEqual(MOST);
    expect(little.size).toBe(before);
    expect(late.size).toBeGreaterThan(much.size);
  });
});

describe('what is kept for clients that may come back', () => {
  let workspace: TempWorkspace;

  beforeAll(() => {
    workspace = tempWorkspace({ 'a.txt': 'a'.repeat(3_000) });
  });

  afterAll(async () => {
    await workspace[Symbol.asyncDispose]();
  });

  const kept = (server: SocketServer): Promise<number> => server.figure('handrail_websocket_kept_characters');
  const read = (client: Client): Promise<Message> => client.call('c1', 'read_file', { path: 'a.txt' });

  it('is dropped for who left first, which is told so, and gets its result when it asks again', async () => {
    await using server = await socketServer(workspace, {
      mode: 'auto',
      socketLimits: { allKeptBytes: 8_000 },
    });
    for (const session of ['first', 'second']) {
      const client = await server.connect(`/ws/${session}`);
      await read(client);
      client.cut();
      await expect.poll(() => server.figure('handrail_websocket_connections')).toBe(0);
    }
    const busy = await server.connect('/ws/busy');
    await read(busy);
    expect(await kept(server)).toBeLessThanOrEqual(8_000);
    const second = await server.connect('/ws/second?after=0');
    await second.whenGot({ type: 'tool_result', call_id: 'c1' });
    expect(second.received).toHaveLength(1);
    const first = await server.connect('/ws/first?after=0');
    await first.whenGot({ type: 'error', error_code: 'MISSED' });
    expect(await read(first)).not.toHaveProperty('error');
    for (const client of [busy, first, second]) client.cut();
  });

  it('is gone with the session', async () => {
    await using server = await socketServer(workspace, {
      mode: 'auto',
      socketLimits: { heartbeatMs: 20, idleMs: 100 },
    });
    const client = await server.connect('/ws/short');
    await read(client);
    expect(await kept(server)).toBeGreaterThan(3_000);
    client.cut();
    await expect.poll(() => kept(server)).toBe(0);
  });
});
