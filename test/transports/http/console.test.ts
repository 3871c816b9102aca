import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { serveConsole } from '../../../src/transports/http/console.ts';
import { AS, serving } from './serving.ts';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
];

describe('serveConsole', () => {
  it('sends the page anew each time, what it loads once, and lets it load nothing else', async () => {
    await using server = await serving();
    const page = await server.send('/', { headers: AS.agent });
    expect(page).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
    });
    expect(String(page.headers['content-security-policy']).split('; ')).toEqual(POLICY);
    const [asset] = /\/assets\/[\w.-]+\.js/.exec(page.body)!;
    expect(await server.send(asset, { headers: AS.agent })).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'private, max-age=31536000, immutable',
      },
    });
    expect(await server.send(asset)).toMatchObject({ status: 401, headers: { 'cache-control': 'no-store' } });
  });

  it('says how to build it where it was not', async () => {
    const app = new Hono();
    serveConsole(app, new Map());
    const response = await app.request('/');
    expect([response.status, await response.text()]).toEqual([
      503,
      'The console was not built: run `npm run build`, and start the server again.\n',
    ]);
  });
});
