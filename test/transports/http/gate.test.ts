import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { localClock } from '../../../src/host/local/clock.ts';
import { gate } from '../../../src/transports/http/gate.ts';
import { AS, KEY, TOKEN } from './serving.ts';

const HOST = '127.0.0.1:4870';

/** Routes behind each gate, where no time passes. */
function guarded(): Hono {
  const gates = gate({
    credentials: { token: TOKEN, approvalKey: KEY },
    clock: { ...localClock, monotonic: () => 0 },
    authorities: () => [HOST],
  });
  const app = new Hono();
  app.use(gates.everyone);
  app.get('/reader', (context) => context.text('seen'));
  app.get('/caller', gates.caller, (context) => context.text('seen'));
  app.get('/person', gates.person, (context) => context.text('seen'));
  return app;
}

async function statusOf(app: Hono, path: string, headers: Readonly<Record<string, string>>): Promise<number> {
  return (await app.request(`http://${HOST}${path}`, { headers: { host: HOST, ...headers } })).status;
}

describe('gate', () => {
  it('lets a person look, however much an agent asks for', async () => {
    const app = guarded();
    for (let asked = 0; asked < 1_000; asked++) await statusOf(app, '/caller', AS.agent);
    expect(await statusOf(app, '/caller', AS.agent)).toBe(429);
    for (const path of ['/caller', '/person']) expect(await statusOf(app, path, AS.person)).toBe(200);
  });

  it('gives a page a cookie that opens it, and tells nobody on another port the token', async () => {
    const app = guarded();
    const entered = await app.request(`http://${HOST}/?token=${TOKEN}`, { headers: { host: HOST } });
    const cookie = entered.headers.get('set-cookie')!.split(';')[0]!;
    const value = cookie.split('=')[1]!;
    expect(await statusOf(app, '/reader', { cookie })).toBe(200);
    expect(await statusOf(app, '/reader', { cookie: cookie.replace(value, TOKEN) })).toBe(401);
    for (const headers of [{ cookie }, { authorization: `Bearer ${value}` }])
      expect(await statusOf(app, '/caller', headers)).toBe(401);
  });

  it('leads to no other host when it takes the token out of the address', async () => {
    const app = guarded();
    for (const path of ['/', '//evil.test/', '///evil.test/', '/person']) {
      const { status, headers } = await app.request(`http://${HOST}${path}?token=${TOKEN}&a=b`, {
        headers: { host: HOST },
      });
      expect([status, headers.get('location')]).toEqual([302, `/${path.replace(/^\/+/, '')}?a=b`]);
    }
  });
});
