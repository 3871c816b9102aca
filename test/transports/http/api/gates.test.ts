/** Who gets as far as an operation; read from the routes, so that a new one is tried as soon as it is there. */
import { describe, expect, it } from 'vitest';
import { localClock } from '../../../../src/host/local/clock.ts';
import { API_ROUTES } from '../../../../src/transports/http/api/index.ts';
import { REFUSAL } from '../../../../src/transports/http/api/refusals.ts';
import type { Route } from '../../../../src/transports/http/api/route.ts';
import { shared } from '../../../support/shared.ts';
import { AS, cookieOf, KEY, sendRaw, type Serving, serving, TOKEN } from '../serving.ts';
import { strictly } from './strictly.ts';

const ROUTES = API_ROUTES as readonly Route[];
const FOR_PERSONS = ROUTES.filter(({ who }) => who === 'person');
const NOT_FOR_READERS = ROUTES.filter(({ who }) => who !== 'reader');
const WITH_BODY = ROUTES.filter(({ method }) => method === 'post' || method === 'put');

const refusal = strictly(REFUSAL);

let server: Serving;
shared(async (stack) => {
  // The time flies: who tries many at once is told to wait, which is another test.
  let now = 0;
  server = stack.use(await serving({ ...localClock, monotonic: () => (now += 1_000) }));
});

/** Promises a body, and sends nothing of it: the answer comes only where none is waited for. */
async function answerBeforeBody(route: Route, headers: Readonly<Record<string, string>>) {
  const { method, path } = route;
  const lines = Object.entries({
    host: server.url.host,
    connection: 'close',
    'content-type': 'application/json',
    ...(WITH_BODY.includes(route) ? { 'content-length': '1000' } : {}),
    ...headers,
  });
  const head = lines.map(([name, value]) => `${name}: ${value}`).join('\r\n');
  const received = await sendRaw(
    server.url,
    `${method.toUpperCase()} ${path.replaceAll(/[{}]/g, '')} HTTP/1.1\r\n${head}\r\n\r\n`,
  );
  const [, status] = /^HTTP\/1\.1 (\d+) /.exec(received) ?? [];
  const body = received.slice(received.indexOf('\r\n\r\n') + 4);
  return { status: Number(status), hasShape: refusal.safeParse(JSON.parse(unchunked(body))).success };
}

function unchunked(body: string): string {
  return body.replaceAll(/^[0-9a-f]+\r\n|\r\n/gm, '');
}

const WRONG = [
  {},
  { authorization: 'Bearer ' },
  { authorization: `Bearer ${TOKEN}x` },
  { authorization: `Bearer ${KEY}`, 'handrail-approval': KEY },
];

describe('the gates of the API', () => {
  it.each(ROUTES)('want a token for $name, before the body', async (route) => {
    for (const headers of WRONG)
      expect({ headers, ...(await answerBeforeBody(route, headers)) }).toEqual({
        headers,
        status: 401,
        hasShape: true,
      });
  });

  it.each(NOT_FOR_READERS)('want more than a cookie for $name, before the body', async (route) => {
    const cookie = cookieOf(server.url);
    expect(await answerBeforeBody(route, { cookie })).toEqual({
      status: route.who === 'person' ? 403 : 401,
      hasShape: true,
    });
  });

  it.each(FOR_PERSONS)('keep agents from $name, before the body', async (route) => {
    for (const key of [{}, { 'handrail-approval': TOKEN }, { 'handrail-approval': '' }])
      expect(await answerBeforeBody(route, { ...AS.agent, ...key })).toEqual({ status: 403, hasShape: true });
  });

  it.each(WITH_BODY)('let nothing but JSON of a bounded size to $name, before the body', async (route) => {
    const plain = await answerBeforeBody(route, { ...AS.person, 'content-type': 'text/plain' });
    const huge = await answerBeforeBody(route, { ...AS.person, 'content-length': String(2 ** 30) });
    expect([plain, huge]).toEqual([
      { status: 415, hasShape: true },
      { status: 413, hasShape: true },
    ]);
  });
});

describe('refusals', () => {
  it.each(ROUTES)('of $name have one shape', async (route) => {
    const { method, path } = route;
    const headers = { ...AS.person, 'content-type': 'application/json' };
    const sent = { method: method.toUpperCase(), ...(WITH_BODY.includes(route) ? { body: 'no JSON' } : {}) };
    const received = await server.send(path.replaceAll(/[{}]/g, ''), {
      ...sent,
      headers: { ...headers, 'handrail-project': 'nobody-knows-it' },
    });
    expect(received.status).toBeGreaterThanOrEqual(400);
    expect(refusal.parse(JSON.parse(received.body))).toHaveProperty('error.code');
  });

  it('of what there is not have it too', async () => {
    const { status, body } = await server.send('/api/nothing', { headers: AS.agent });
    expect([status, JSON.parse(body)]).toEqual([404, { error: { message: 'There is nothing here.' } }]);
  });
});
