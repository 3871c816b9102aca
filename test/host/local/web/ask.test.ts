/** The web as this machine reaches it: what is sent, where to, and what is kept. */
import { createPrivateKey } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { localWeb } from '../../../../src/host/local/web/web.ts';
import type { Web, WebAnswer } from '../../../../src/host/web-ports.ts';
import { webUrl } from '../../../../src/host/web-url.ts';
import { webServer } from '../../../support/web-server.ts';
import { CERTIFICATE, KEY_BASE64 } from './fixtures/certificate.ts';

const here = (addresses: readonly string[] = ['127.0.0.1'], certificates?: string): Web =>
  localWeb({ addressesOf: async () => addresses, certificates });

function ask(web: Web, url: string, headers: Readonly<Record<string, string>> = {}): Promise<WebAnswer> {
  return web.ask({
    url: webUrl(url),
    method: 'GET',
    headers,
    mayConnect: (address) => address === '127.0.0.1',
    maxBytes: 10_000,
    signal: AbortSignal.timeout(20_000),
  });
}

async function text(web: Web, url: string): Promise<string> {
  return Buffer.from((await ask(web, url)).body).toString();
}

/** Counts its answers. */
function counting(headers: Readonly<Record<string, string>>): RequestListener {
  let count = 0;
  return (_request, response) => void response.writeHead(200, headers).end(`answer ${++count}`);
}

describe('localWeb', () => {
  it('sends the host of the address, and nothing that was not given', async () => {
    await using server = await webServer((request, response) => {
      response.writeHead(200, { 'set-cookie': 'a=b' }).end(JSON.stringify(request.headers));
    });
    const web = here();
    const url = `http://name.example:${server.port}/`;
    await text(web, url);
    const { 'sec-fetch-mode': _mode, ...sent } = JSON.parse(await text(web, url)) as Record<string, string>;
    expect(sent).toEqual({
      host: `name.example:${server.port}`,
      connection: 'keep-alive',
      accept: '*/*',
      'accept-language': '*',
      'accept-encoding': 'gzip, deflate',
      'user-agent': 'undici',
    });
  });

  it('goes around the proxy that the environment names', async () => {
    await using server = await webServer(counting({}));
    const before = { ...process.env };
    Object.assign(process.env, { HTTP_PROXY: 'http://127.0.0.1:1', http_proxy: 'http://127.0.0.1:1' });
    try {
      expect(await text(here(), `http://name.example:${server.port}/`)).toBe('answer 1');
    } finally {
      process.env = before;
    }
  });

  it.each([
    ['gives an answer again for as long as it says', { 'cache-control': 'max-age=600' }, 'answer 1'],
    ['asks anew where an answer says nothing', {}, 'answer 2'],
    ['asks anew where it must not be kept', { 'cache-control': 'no-store, max-age=600' }, 'answer 2'],
    ["asks anew where it is one person's own", { 'cache-control': 'private, max-age=600' }, 'answer 2'],
  ])('%s', async (_, headers, second) => {
    await using server = await webServer(counting(headers));
    const web = here();
    expect(await text(web, `${server.origin}/`)).toBe('answer 1');
    expect(await text(web, `${server.origin}/`)).toBe(second);
  });

  it('asks whether an answer still holds where it has to', async () => {
    await using server = await webServer((request, response) => {
      const headers = { etag: '"1"', 'cache-control': 'no-cache' };
      if (request.headers['if-none-match'] === '"1"') response.writeHead(304, headers).end();
      else response.writeHead(200, headers).end('whole');
    });
    const web = here();
    expect([await text(web, `${server.origin}/`), await text(web, `${server.origin}/`)]).toEqual([
      'whole',
      'whole',
    ]);
    expect(server.asked).toHaveLength(2);
  });

  it('believes the certificate of the host it asks for, at whatever address', async () => {
    await using server = await encrypted();
    const web = here(['127.0.0.1'], CERTIFICATE);
    expect(await text(web, `https://pinned.example:${server.port}/`)).toBe('for pinned.example');
    await expect(text(web, `https://other.example:${server.port}/`)).rejects.toMatchObject({ code: 'E_IO' });
    await expect(text(here(), `https://pinned.example:${server.port}/`)).rejects.toMatchObject({
      code: 'E_IO',
    });
  });

  it.each([
    ['a port of another protocol', 'http://name.example:25/', ['127.0.0.1'], 'bad port'],
    ['a host without an address', 'http://name.example/', [], 'The host name.example is not known.'],
  ])('fails at %s', async (_, url, addresses, message) => {
    await expect(ask(here(addresses), url)).rejects.toMatchObject({
      code: 'E_IO',
      message: expect.stringContaining(message) as string,
    });
  });

  it('no longer waits for a name when the caller does not', async () => {
    const { signal, abort } = abortable();
    const web = localWeb({ addressesOf: () => (abort(), new Promise(() => {})) });
    const request = { url: webUrl('http://a.example/'), method: 'GET', headers: {}, maxBytes: 1 } as const;
    await expect(web.ask({ ...request, mayConnect: () => true, signal })).rejects.toMatchObject({
      name: 'AbortError',
    });
  });
});

function abortable(): { signal: AbortSignal; abort: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

async function encrypted(): Promise<AsyncDisposable & { port: number }> {
  const key = createPrivateKey({ key: Buffer.from(KEY_BASE64, 'base64'), format: 'der', type: 'pkcs8' });
  const server = createServer(
    { cert: CERTIFICATE, key: key.export({ format: 'pem', type: 'pkcs8' }) },
    (request, response) => void response.end(`for ${request.headers.host?.split(':')[0]}`),
  );
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}
