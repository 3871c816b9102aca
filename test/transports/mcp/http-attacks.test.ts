/** What others send to `/mcp`: pages of other origins, names that lead here, programs without the token. Each one is served where no gate is. */
import type { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { describe, expect } from 'vitest';
import { localClock } from '../../../src/host/local/clock.ts';
import { McpEndpoint } from '../../../src/transports/mcp/http-endpoint.ts';
import { mcpServer } from '../../../src/transports/mcp/mcp-server.ts';
import { type Attack, testAttacks } from '../../security/attack-case.ts';
import { AS, cookieOf, KEY, sendTo, type Serving, serving, TOKEN, strangeHosts } from '../http/serving.ts';
import { INITIALIZE, MCP_HEADERS, statelessCall } from './fixtures/raw-client.ts';

type Headers = Readonly<Record<string, string>>;

const { authorization: _, ...WITHOUT_TOKEN } = MCP_HEADERS;
const READ = statelessCall('read', { path: 'a.txt' });

/** What a stranger wants: the content of a file, and a session. */
async function tries(
  url: URL,
  headers: Headers,
): Promise<{ content: string; session: unknown; statuses: number[] }> {
  const { authorization: _token, ...about } = READ.headers;
  const read = await sendTo(url, { method: 'POST', headers: { ...about, ...headers }, body: READ.body });
  const begun = await sendTo(url, {
    method: 'POST',
    headers: { ...WITHOUT_TOKEN, ...headers },
    body: JSON.stringify(INITIALIZE),
  });
  return {
    content: read.body,
    session: begun.headers['mcp-session-id'],
    statuses: [read.status, begun.status],
  };
}

async function expectRefused(
  ways: (server: Serving) => readonly Headers[],
  statuses: readonly number[],
): Promise<void> {
  await using server = await serving();
  for (const way of ways(server)) {
    const tried = await tries(new URL('/mcp', server.url), way);
    expect(tried.statuses.filter((status) => !statuses.includes(status))).toEqual([]);
    expect(tried.content).not.toContain('old');
    expect(tried.session).toBeUndefined();
  }
}

async function expectServed(ways: (server: Serving) => readonly Headers[]): Promise<void> {
  await using server = await serving();
  await using open = await ungated(server);
  for (const way of ways(server)) {
    const tried = await tries(open.url, way);
    expect(tried.content).toContain('old');
    expect(tried.session).toBeDefined();
  }
}

const WAYS: readonly {
  readonly id: string;
  readonly title: string;
  readonly ways: (server: Serving) => readonly Headers[];
  readonly statuses: readonly number[];
}[] = [
  {
    id: 'WB-01',
    title:
      'calls without a token, with a wrong one, with the approval key for one, and with one in the wrong place',
    ways: ({ url }) => [
      {},
      { authorization: 'Bearer ' },
      { authorization: `Bearer ${TOKEN}x` },
      { authorization: `Bearer ${KEY}` },
      { authorization: TOKEN },
      { 'handrail-approval': KEY },
      // A browser sends a cookie with whatever a page asks for.
      { cookie: cookieOf(url) },
    ],
    statuses: [401],
  },
  {
    id: 'WB-01',
    title: 'calls of a client that was given the approval key',
    ways: () => [AS.person],
    statuses: [403],
  },
  {
    id: 'WB-03',
    title: 'calls to a name that another page made lead here (DNS rebinding, CVE-2025-66414)',
    ways: ({ url }) => strangeHosts(url).map((host) => ({ ...AS.agent, host })),
    statuses: [421],
  },
  {
    id: 'WB-04',
    title: 'calls of pages of other origins, those on loopback too',
    ways: ({ url }) =>
      ['http://evil.test', 'null', 'http://localhost:9999', `http://localhost:${url.port}`].map((origin) => ({
        ...AS.agent,
        origin,
      })),
    statuses: [403],
  },
  {
    id: 'WB-05',
    title: 'calls that a browser marks as those of another page',
    ways: () => ['cross-site', 'same-site'].map((site) => ({ ...AS.agent, 'sec-fetch-site': site })),
    statuses: [403],
  },
];

const ATTACKS: readonly Attack[] = [
  ...WAYS.map(({ id, title, ways, statuses }) => ({
    id,
    title,
    attack: () => expectRefused(ways, statuses),
    bites: () => expectServed(ways),
  })),
  {
    id: 'WB-10',
    title: 'more calls than anybody makes, while the person goes on',
    attack: async () => {
      // The time stands still: nothing is given back meanwhile.
      await using server = await serving({ ...localClock, monotonic: () => 0 });
      const statuses = new Set<number>();
      for (let round = 0; round < 11; round++) {
        const sent = Array.from({ length: 100 }, () => server.send('/mcp', { headers: AS.agent }));
        for (const { status } of await Promise.all(sent)) statuses.add(status);
      }
      expect(statuses).toEqual(new Set([400, 429]));
      expect((await server.send('/', { headers: AS.person })).status).toBe(200);
    },
    bites: async () => {
      await using server = await serving();
      await using open = await ungated(server);
      const sent = Array.from({ length: 100 }, () => sendTo(open.url, {}));
      expect(new Set((await Promise.all(sent)).map(({ status }) => status))).toEqual(new Set([400]));
    },
  },
];

describe('/mcp', () => {
  testAttacks(ATTACKS);
});

/** The same endpoint on a listener that lets everybody in. */
async function ungated({ runtime }: Serving): Promise<{ readonly url: URL } & AsyncDisposable> {
  const endpoint = new McpEndpoint({
    runtime: async () => runtime,
    clock: localClock,
    server: (connection, era) => mcpServer(connection, { era, version: '0.0.0' }),
  });
  const listener = createAdaptorServer({ fetch: (request) => endpoint.fetch(request) }) as Server;
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const { port } = listener.address() as { port: number };
  return {
    url: new URL(`http://127.0.0.1:${port}/mcp`),
    async [Symbol.asyncDispose]() {
      await endpoint[Symbol.asyncDispose]();
      listener.closeAllConnections();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}
