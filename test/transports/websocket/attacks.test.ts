/** What others try on the WebSocket: pages of other origins, names that lead here, programs without the secrets, and agents that would like to decide. */
import { connect as connectTo, type Socket } from 'node:net';
import { once } from 'node:events';
import { describe, expect } from 'vitest';
import { WebSocket } from 'ws';
import { type Attack, testAttacks } from '../../security/attack-case.ts';
import { AS, cookieOf, KEY, type Serving, serving, TOKEN, strangeHosts } from '../http/serving.ts';
import { type Client, connect } from './socket-server.ts';
import { unguarded } from './unguarded.ts';

interface Way {
  readonly headers: Readonly<Record<string, string>>;
  readonly protocols?: readonly string[];
  readonly query?: string;
}

const READ = { type: 'tool_call', call_id: 'c1', tool_name: 'read_file', args: { path: 'a.txt' } };

function socketAt({ host }: URL, { headers, protocols = [], query = '' }: Way): WebSocket {
  return new WebSocket(`ws://${host}/ws/ses_of_others${query}`, [...protocols], { headers });
}

/** The status of a refusal; 101 where it is let in. */
function knock(url: URL, way: Way): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = socketAt(url, way);
    socket.on('unexpected-response', (_request, response) => {
      resolve(response.statusCode!);
      response.destroy();
    });
    socket.on('open', () => {
      resolve(101);
      socket.terminate();
    });
    socket.on('error', reject);
  });
}

async function expectRefused(
  ways: (server: Serving) => readonly Way[],
  statuses: readonly number[],
): Promise<void> {
  await using server = await serving();
  for (const way of ways(server)) {
    const status = await knock(server.url, way);
    expect({ way, isKnown: statuses.includes(status), status }).toEqual({ way, isKnown: true, status });
  }
}

/** The same ways, where nobody looks: each gets in, and reads a file. */
async function expectServed(ways: (server: Serving) => readonly Way[]): Promise<void> {
  await using server = await serving();
  await using open = await unguarded(server);
  for (const way of ways(server)) {
    const client = await connect(socketAt(open.url, { headers: way.headers }));
    client.send({ ...READ, tool_name: 'read' });
    expect(JSON.stringify(await client.whenGot({ call_id: 'c1' }))).toContain('old');
    client.cut();
  }
}

const WAYS: readonly {
  readonly id: string;
  readonly title: string;
  readonly ways: (server: Serving) => readonly Way[];
  readonly statuses: readonly number[];
}[] = [
  {
    id: 'WB-01',
    title: 'connections without a token, with a wrong one, or with one in the wrong place',
    ways: () => [
      { headers: {} },
      { headers: { authorization: 'Bearer ' } },
      { headers: { authorization: `Bearer ${TOKEN}x` } },
      { headers: { authorization: `Bearer ${KEY}`, 'handrail-approval': KEY } },
      { headers: { authorization: TOKEN } },
      { headers: {}, protocols: [TOKEN] },
      // An address ends up in histories and logs: it opens a page, and no socket.
      { headers: {}, query: `?token=${TOKEN}` },
    ],
    statuses: [401, 302],
  },
  {
    id: 'WB-02',
    title: 'connections that a page of another origin opens, or a cookie alone (CVE-2025-52882)',
    ways: (server) => [
      ...['http://evil.test', 'null', 'http://localhost:9999', `http://localhost:${server.url.port}`].flatMap(
        (origin) => [
          { headers: { cookie: cookieOf(server.url), origin } },
          { headers: { ...AS.person, origin } },
        ],
      ),
      { headers: { cookie: cookieOf(server.url) } },
    ],
    statuses: [401, 403],
  },
  {
    id: 'WB-03',
    title: 'connections to a name that another page made lead here (DNS rebinding)',
    ways: ({ url }) =>
      strangeHosts(url).map((host) => ({ headers: { ...AS.person, host, origin: `http://${host}` } })),
    statuses: [421],
  },
  {
    id: 'WB-05',
    title: 'connections that a browser marks as those of another page',
    ways: (server) =>
      ['cross-site', 'same-site'].map((site) => ({
        headers: { cookie: cookieOf(server.url), origin: server.url.origin, 'sec-fetch-site': site },
      })),
    statuses: [403],
  },
  {
    id: 'AP-10',
    title: 'connections with a word that is not the approval key',
    ways: () => [
      { headers: { ...AS.agent, 'handrail-approval': TOKEN } },
      { headers: { ...AS.agent, 'handrail-approval': '' } },
      { headers: AS.agent, protocols: ['handrail', `handrail.approval.${TOKEN}`] },
      { headers: AS.agent, protocols: ['handrail', `handrail.approval.${KEY}x`] },
    ],
    statuses: [403],
  },
];

/** What an agent says to allow its own call. */
const DECISIONS = [
  { type: 'hitl_decision', call_id: 'w1', decision: 'approve' },
  { type: 'hitl_decision', call_id: 'w1', decision: 'approve', scope: 'always' },
  { type: 'hitl_decision', call_id: 'w1', decision: 'edit', modified_arguments: { path: 'b', content: '' } },
  { type: 'tool_result', call_id: 'w1', result: { decision: 'approve' } },
];

/** The head of a frame that promises a gigabyte. */
const GIGABYTE = Buffer.concat([
  Buffer.from([0x81, 0xff]),
  Buffer.from([0, 0, 0, 0, 0x40, 0, 0, 0]),
  Buffer.from([1, 2, 3, 4]),
]);

/** For a frame of which a part was sent: its buffers at both ends, which are in this process. */
const GENEROUS_BYTES = 256 * 1024 * 1024;

/** Begins such a frame on a connection that was let in; gives what comes back within a part of it. */
async function beginFrame(socket: Socket): Promise<Buffer> {
  const received: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => received.push(chunk));
  const isClosed = once(socket, 'end').then(() => true);
  socket.write(GIGABYTE);
  const part = Buffer.alloc(1024 * 1024);
  for (let count = 0; count < 16; count++) {
    const hasRoom = await Promise.race([
      isClosed,
      new Promise((resolve) => socket.write(part, () => resolve(false))),
    ]);
    if (hasRoom === true) break;
  }
  return Buffer.concat(received);
}

async function upgraded({ host, port }: URL): Promise<Socket> {
  const socket = connectTo(Number(port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(
    [
      'GET /ws/ses_large HTTP/1.1',
      `host: ${host}`,
      'connection: upgrade',
      'upgrade: websocket',
      'sec-websocket-version: 13',
      'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==',
      `authorization: Bearer ${TOKEN}`,
      '\r\n',
    ].join('\r\n'),
  );
  const [head] = (await once(socket, 'data')) as [Buffer];
  expect(head.toString()).toMatch(/^HTTP\/1\.1 101 /);
  return socket;
}

const PATHS = ['a.txt', 'b.txt'] as const;
/** Of each of two clients; more with HANDRAIL_INTERLEAVED. */
const INTERLEAVED = Number(process.env['HANDRAIL_INTERLEAVED'] ?? 1_000);
/** As many as a session takes at a time, or fewer. */
const AT_A_TIME = 500;

/** Both sessions use the same ids for their calls; each is to hear of its own file alone. */
async function interleave(clients: readonly Client[], tool: string, count: number): Promise<string[]> {
  for (let index = 0; index < count; index++)
    for (const [which, client] of clients.entries())
      client.send({ ...READ, tool_name: tool, call_id: `c${index}`, args: { path: PATHS[which]! } });
  for (const client of clients)
    await expect.poll(() => client.received.length, { timeout: 50_000 }).toBeGreaterThanOrEqual(count);
  return clients.map(({ received }) => JSON.stringify(received));
}

const ATTACKS: readonly Attack[] = [
  ...WAYS.map(({ id, title, ways, statuses }) => ({
    id,
    title,
    attack: () => expectRefused(ways, statuses),
    bites: () => expectServed(ways),
  })),
  {
    id: 'AP-10',
    title: 'decisions of the agent about its own call',
    attack: async () => {
      await using server = await serving();
      const client = await connect(socketAt(server.url, { headers: AS.agent }));
      client.send({
        ...READ,
        tool_name: 'write_file',
        call_id: 'w1',
        args: { path: 'a.txt', content: 'new' },
      });
      await server.questions.whenOpen();
      for (const decision of DECISIONS) client.send(decision);
      await expect.poll(() => client.received.length).toBeGreaterThanOrEqual(DECISIONS.length);
      expect(new Set(client.received.map(({ error_code }) => error_code))).toEqual(
        new Set(['UNAUTHORIZED', 'UNSUPPORTED']),
      );
      expect(await server.questions.pending()).toHaveLength(1);
      client.cut();
    },
    bites: async () => {
      await using server = await serving();
      await using open = await unguarded(server);
      await server.askedWrite();
      const client = await connect(socketAt(open.url, { headers: AS.agent }));
      client.send(DECISIONS[0]!);
      await server.questions.whenOpen(0);
      client.cut();
    },
  },
  {
    id: 'WB-06',
    title: 'the ids of the calls of another session, in thousands of calls of both',
    attack: async () => {
      await using server = await serving();
      server.workspace.write('b.txt', 'other\n');
      const [url, headers] = [`ws://${server.url.host}/ws`, { headers: AS.agent }];
      for (let round = 0; round < INTERLEAVED / AT_A_TIME; round++) {
        const clients = await Promise.all(
          PATHS.map((path) => connect(new WebSocket(`${url}/ses_${path}_${round}`, headers))),
        );
        const [one, other] = await interleave(clients, 'read_file', AT_A_TIME);
        expect([one!.includes('other'), other!.includes('old')]).toEqual([false, false]);
        expect(clients.map(({ received }) => new Set(received.map(({ call_id }) => call_id)).size)).toEqual([
          AT_A_TIME,
          AT_A_TIME,
        ]);
        for (const client of clients) client.cut();
      }
    },
    bites: async () => {
      await using server = await serving();
      server.workspace.write('b.txt', 'other\n');
      await using open = await unguarded(server);
      const clients = await Promise.all(PATHS.map(() => connect(socketAt(open.url, { headers: AS.agent }))));
      const [one] = await interleave(clients, 'read', 5);
      expect(one).toContain('other');
      for (const client of clients) client.cut();
    },
  },
  {
    id: 'WB-10',
    title: 'a frame of a gigabyte',
    attack: async () => {
      await using server = await serving();
      const socket = await upgraded(server.url);
      const before = process.memoryUsage.rss();
      const received = await beginFrame(socket);
      expect(process.memoryUsage.rss() - before).toBeLessThan(GENEROUS_BYTES);
      // A frame that closes, by the number for what is too big.
      expect([received[0], received.readUInt16BE(2)]).toEqual([0x88, 1009]);
      socket.destroy();
    },
    bites: async () => {
      await using server = await serving();
      await using open = await unguarded(server);
      const socket = await upgraded(open.url);
      expect(await beginFrame(socket)).toHaveLength(0);
      socket.destroy();
    },
  },
];

describe('/ws', () => {
  testAttacks(ATTACKS);
});
