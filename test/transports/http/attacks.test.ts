/** What others send: pages of other origins, names that lead here, programs without the secrets. Each one harms a server without a gate. */
import { describe, expect } from 'vitest';
import { localClock } from '../../../src/host/local/clock.ts';
import { gate } from '../../../src/transports/http/gate.ts';
import { type Attack, testAttacks } from '../../security/attack-case.ts';
import { bareApplication } from './bare-application.ts';
import {
  AS,
  cookieOf,
  KEY,
  type Received,
  type Sent,
  sendRaw,
  sendTo,
  type Serving,
  serving,
  TOKEN,
  strangeHosts,
} from './serving.ts';
import { unguarded } from './unguarded.ts';

const ANSWER = JSON.stringify({ answer: 'once' });
const asJson = { 'content-type': 'application/json' };

/** Sends an answer to an open question in each of these ways; every one is refused so, and the question stays open. */
async function expectRefused(
  ways: (server: Serving) => readonly Sent[],
  statuses: readonly number[],
): Promise<void> {
  await using server = await serving();
  const { question } = await server.askedWrite();
  for (const way of ways(server)) {
    const sent: Sent = { method: 'POST', body: ANSWER, ...way };
    const { status, headers } = await server.send(`/api/approvals/${question.id}/answer`, sent);
    expect({ way, status, isKnown: statuses.includes(status) }).toEqual({ way, status, isKnown: true });
    expect(headers['access-control-allow-origin']).toBeUndefined();
  }
  expect(await server.questions.pending()).toHaveLength(1);
}

/** The same ways, at a server that answers whoever asks: each one is let through. */
async function expectHarm(ways: (server: Serving) => readonly Sent[]): Promise<void> {
  for (const index of (await waysAt(ways)).keys()) {
    await using server = await serving();
    await server.askedWrite();
    await using open = await unguarded(server);
    await sendTo(open.url, { method: 'POST', body: ANSWER, ...ways(server)[index] });
    expect(await server.questions.pending()).toHaveLength(0);
  }
}

async function waysAt(ways: (server: Serving) => readonly Sent[]): Promise<readonly Sent[]> {
  await using server = await serving();
  return ways(server);
}

/** Ways to answer, with how each is refused. */
const WAYS: readonly {
  readonly id: string;
  readonly title: string;
  readonly ways: (server: Serving) => readonly Sent[];
  readonly statuses: readonly number[];
}[] = [
  {
    id: 'WB-01',
    title: 'an answer of the agent, which has the token alone, or has a secret in the wrong place',
    ways: (server) => [
      { headers: { ...AS.agent, ...asJson } },
      { headers: { ...AS.agent, ...asJson, 'handrail-approval': '' } },
      { headers: { ...AS.agent, ...asJson, 'handrail-approval': TOKEN } },
      { headers: { ...AS.agent, ...asJson, 'handrail-approval': `${KEY}x` } },
      { headers: { ...AS.agent, ...asJson, cookie: `handrail-approval=${KEY}` } },
      { headers: { ...asJson, cookie: cookieOf(server.url) } },
      { headers: { ...asJson, 'handrail-approval': KEY } },
      { headers: { ...asJson, 'handrail-approval': KEY, authorization: `Bearer ${KEY}` } },
      { headers: { ...asJson, 'handrail-approval': KEY, authorization: TOKEN } },
    ],
    statuses: [401, 403],
  },
  {
    id: 'WB-03',
    title: 'a name that another page made lead here (DNS rebinding, CVE-2025-66414)',
    ways: ({ url }) => strangeHosts(url).map((host) => ({ headers: { ...AS.person, ...asJson, host } })),
    statuses: [421],
  },
  {
    id: 'WB-04',
    title: 'pages of other origins, those on loopback too',
    ways: ({ url }) =>
      [
        'http://evil.test',
        'null',
        'http://localhost:9999',
        'http://localhost.evil.test',
        `https://127.0.0.1:${url.port}`,
        // The same server by another name is another origin.
        `http://localhost:${url.port}`,
      ].map((origin) => ({ headers: { ...AS.person, ...asJson, origin } })),
    statuses: [403],
  },
  {
    id: 'WB-05',
    title: 'forms and plain text, which pages send without asking first',
    ways: (server) =>
      ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', ''].flatMap(
        (type) => [
          { headers: { cookie: cookieOf(server.url), 'content-type': type } },
          { headers: { ...AS.person, 'content-type': type } },
        ],
      ),
    statuses: [403, 415],
  },
  {
    id: 'WB-05',
    title: 'requests that a browser marks as those of another page',
    ways: (server) =>
      ['cross-site', 'same-site'].map((site) => ({
        headers: { ...AS.person, ...asJson, cookie: cookieOf(server.url), 'sec-fetch-site': site },
      })),
    statuses: [403],
  },
  {
    id: 'WB-05',
    title: 'other methods than the one that answers',
    ways: () =>
      ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].map((method) => ({
        method,
        headers: { ...AS.person, ...asJson },
        body: '',
      })),
    statuses: [404],
  },
];

const ATTACKS: readonly Attack[] = [
  ...WAYS.map(({ id, title, ways, statuses }) => ({
    id,
    title,
    attack: () => expectRefused(ways, statuses),
    bites: () => expectHarm(ways),
  })),
  {
    id: 'WB-01',
    title: 'every route there is, without a token, with a wrong one and an empty one',
    attack: async () => {
      // The time flies: who tries many at once is told to wait, which is another test.
      let now = 0;
      await using server = await serving({ ...localClock, monotonic: () => (now += 1_000) });
      const known = allRoutes(server);
      expect(known.length).toBeGreaterThan(6);
      for (const { method, path } of known) {
        const tries = [{}, { authorization: 'Bearer ' }, { authorization: `Bearer ${TOKEN}x` }];
        const received = await Promise.all(tries.map((headers) => server.send(path, { method, headers })));
        expect({ path, statuses: received.map(({ status }) => status) }).toEqual({
          path,
          statuses: [401, 401, 401],
        });
        expect(received.map(({ body }) => body).join('')).not.toContain(server.workspace.root);
      }
      expect((await server.send('/?token=')).status).toBe(401);
    },
    bites: async () => {
      await using server = await serving();
      await using open = await unguarded(server);
      expect((await sendTo(open.url, {})).status).toBe(200);
    },
  },
  {
    id: 'WB-01',
    title: 'a server without secrets, or with one secret for both',
    attack: async () => {
      const made = (token: string, approvalKey: string): unknown =>
        gate({ credentials: { token, approvalKey }, clock: localClock, authorities: () => [] });
      for (const [token, key] of [
        ['', KEY],
        [TOKEN, ''],
        ['short', KEY],
        [TOKEN, TOKEN],
      ] as const)
        expect(() => made(token, key)).toThrow('approval key');
    },
    bites: { noProof: 'a server that needs no secret is the unguarded one of the other rows' },
  },
  {
    id: 'WB-03',
    title: 'no name at all',
    attack: async () => {
      await using server = await serving();
      const written = `GET / HTTP/1.1\r\nauthorization: Bearer ${TOKEN}\r\nconnection: close\r\n\r\n`;
      expect(await sendRaw(server.url, written)).toMatch(/^HTTP\/1\.1 400 /);
      expect(await sendRaw(server.url, written.replace('1.1', '1.0'))).toMatch(/^HTTP\/1\.1 400 /);
    },
    bites: async () => {
      await using server = await serving();
      await using open = await unguarded(server);
      expect(await sendRaw(open.url, 'GET / HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
    },
  },
  {
    id: 'WB-09',
    title: 'secrets that stay in addresses, pages and errors',
    attack: async () => {
      await using server = await serving();
      const entered = await server.send(`/?token=${TOKEN}&gatewayUrl=ws://evil.test`);
      expect(entered).toMatchObject({ status: 302, headers: { 'referrer-policy': 'no-referrer' } });
      expect(entered.headers.location).not.toContain(TOKEN);
      expect(String(entered.headers['set-cookie'])).toMatch(/HttpOnly; SameSite=Strict/);
      for (const path of [
        '/',
        '/?gatewayUrl=ws://evil.test',
        '/nothing',
        '/index.html',
        '/assets/..%2findex.html',
      ]) {
        const { body, headers } = await server.send(path, { headers: AS.person });
        expect(body).not.toMatch(new RegExp(`${TOKEN}|${KEY}|evil`));
        expect(headers['cache-control']).toBe('no-store');
      }
    },
    bites: async () => {
      await using server = await serving();
      await using open = await unguarded(server);
      expect((await sendTo(open.url, { headers: AS.person })).body).toContain(KEY);
    },
  },
  {
    id: 'WB-10',
    title: 'bodies and headers without an end',
    attack: async () => {
      await using server = await serving();
      const { question } = await server.askedWrite();
      const path = `/api/approvals/${question.id}/answer`;
      const large = JSON.stringify({ answer: 'deny', reason: 'x'.repeat(1_000_000) });
      expect((await sendLarge(server, path, AS.person, large)).status).toBe(413);
      const promised = { ...asJson, 'content-length': String(512 * 1024 * 1024) };
      // Nothing of the body is waited for.
      expect(await sendRaw(server.url, rawPost(server, path, promised))).toMatch(/^HTTP\/1\.1 401 /);
      expect((await server.send('/', { headers: { ...AS.agent, long: 'x'.repeat(20_000) } })).status).toBe(
        431,
      );
      expect(await server.questions.pending()).toHaveLength(1);
    },
    bites: {
      noProof: 'Node itself bounds headers, and the unguarded server reads a body to its end by design',
    },
  },
  {
    id: 'WB-10',
    title: 'guessing until it fits, while the person goes on',
    attack: async () => {
      // The time stands still: nothing is given back meanwhile.
      await using server = await serving({ ...localClock, monotonic: () => 0 });
      const tries = Array.from({ length: 40 }, () =>
        server.send('/', { headers: { authorization: 'Bearer guess' } }),
      );
      const received = await Promise.all(tries);
      expect(received.filter(({ status }) => status === 401)).toHaveLength(30);
      expect(received.filter(({ status }) => status === 429)).toHaveLength(10);
      expect((await server.post('/api/approvals/apr_x/answer', AS.agent)).status).toBe(429);
      expect((await server.send('/metrics', { headers: AS.agent })).status).toBe(200);
      expect((await server.post('/api/approvals/apr_x/answer', AS.person, { answer: 'once' })).status).toBe(
        404,
      );
    },
    bites: async () => {
      await using server = await serving();
      await using open = await unguarded(server);
      const tries = Array.from({ length: 40 }, () =>
        sendTo(open.url, { headers: { authorization: 'Bearer guess' } }),
      );
      expect(new Set((await Promise.all(tries)).map(({ status }) => status))).toEqual(new Set([200]));
    },
  },
];

describe('the server', () => {
  testAttacks(ATTACKS);
});

/** Read from the application itself: a new route is tried as soon as it is there. Only whether it is well, it tells anybody. */
function allRoutes(server: Serving): { readonly method: string; readonly path: string }[] {
  const app = bareApplication(server);
  const known = app.routes.filter(({ method, path }) => method !== 'ALL' && path !== '/healthz');
  return [...new Map(known.map(({ method, path }) => [`${method} ${path}`, { method, path }])).values()];
}

/** The server may answer, and close, before all is sent. */
async function sendLarge(
  { url }: Serving,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<Pick<Received, 'status'>> {
  return fetch(new URL(path, url), { method: 'POST', headers: { ...headers, ...asJson }, body });
}

function rawPost({ url }: Serving, path: string, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries({ host: url.host, connection: 'close', ...headers });
  return [`POST ${path} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`), '', ''].join('\r\n');
}
