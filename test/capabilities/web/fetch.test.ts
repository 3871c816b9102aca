/** Pages of the web as the tools of `handrail` and `tenas` show them. */
import { describe, expect, it } from 'vitest';
import { speak } from '../../dialects/fixtures/speak.ts';
import { saying, webServer } from '../../support/web-server.ts';

const OPEN = { rules: [{ action: 'allow', permission: 'net.connect', host: '127.0.0.1' } as const] };
const PAGE = '<html><head><title>T</title></head><body><h1>Hi</h1></body></html>';

describe('handrail web_fetch', () => {
  it('gives a page as Markdown, or its source', async () => {
    await using server = await webServer(saying(PAGE, { 'content-type': 'text/html' }));
    await using handrail = await speak('handrail', {}, OPEN);
    const url = `${server.origin}/`;
    const about = { ok: true, url, status: 200, content_type: 'text/html' };
    expect(await handrail.reply('web_fetch', { url })).toEqual({ ...about, title: 'T', content: '# Hi' });
    expect(await handrail.reply('web_fetch', { url, raw: true })).toEqual({ ...about, content: PAGE });
  });

  it('gives what a server says of a failure, as one', async () => {
    await using server = await webServer((_, response) => void response.writeHead(404).end('Nothing here.'));
    await using handrail = await speak('handrail', {}, OPEN);
    const url = `${server.origin}/`;
    expect(await handrail.reply('web_fetch', { url })).toEqual({
      ok: false,
      url,
      status: 404,
      content_type: '',
      content: 'Nothing here.',
    });
    expect((await handrail.runtime.call('web_fetch', { url })).outcome).toBe('failed');
  });

  it('cuts what is long, and keeps the rest for paging', async () => {
    const long = `${'x'.repeat(99)}\n`.repeat(2_000);
    await using server = await webServer(saying(long));
    await using handrail = await speak('handrail', {}, OPEN);
    const session = await handrail.runtime.openSession();
    const { reply } = await handrail.runtime.call('web_fetch', { url: `${server.origin}/` }, { session });
    const { content, output_id, ...about } = reply as { content: string; output_id: string };
    expect(about).toMatchObject({ ok: true, truncated: true, total: 200_000 });
    expect(long.startsWith(content)).toBe(true);
    const args = { output_id, offset: content.length, limit: 100 };
    const rest = await handrail.runtime.call('read_output', args, { session });
    expect(rest.reply).toMatchObject({
      part: long.slice(content.length, content.length + 100),
      total: 200_000,
    });
  });

  it('asks a human about a host', async () => {
    await using handrail = await speak('handrail');
    const { decision, request } = await handrail.runtime.approvalRequest('web_fetch', {
      url: 'https://a.example/b',
    });
    expect(decision).toMatchObject({ action: 'ask' });
    expect(request).toMatchObject({
      args: { url: 'https://a.example/b' },
      accesses: [{ permission: 'net.connect', resource: 'a.example', url: 'https://a.example/b' }],
    });
  });
});

describe('tenas web-fetch', () => {
  const failure = (code: string, message: string) => ({
    ok: false,
    error: { code, message: expect.stringContaining(message) as string },
  });

  it('gives the source of a page', async () => {
    await using server = await webServer(saying(PAGE, { 'content-type': 'text/html' }));
    await using tenas = await speak('tenas', {}, OPEN);
    expect(await tenas.reply('web-fetch', { url: server.origin })).toEqual({
      ok: true,
      data: { url: `${server.origin}/`, status: 200, contentType: 'text/html', content: PAGE },
    });
  });

  it('takes 1 MiB and no more', async () => {
    await using server = await webServer((request, response) => {
      response.end('x'.repeat(request.url === '/most' ? 1_048_576 : 1_048_577));
    });
    await using tenas = await speak('tenas', {}, OPEN);
    const most = await tenas.reply('web-fetch', { url: `${server.origin}/most` });
    expect(most).toMatchObject({ ok: true, data: { content: 'x'.repeat(1_048_576) } });
    expect(await tenas.reply('web-fetch', { url: `${server.origin}/more` })).toEqual(
      failure('E_TOO_LARGE', 'Response too large'),
    );
  });

  it('fails where a server does', async () => {
    await using server = await webServer((_, response) => void response.writeHead(500).end('trouble'));
    await using tenas = await speak('tenas', {}, OPEN);
    expect(await tenas.reply('web-fetch', { url: server.origin })).toEqual(failure('E_IO', 'status 500'));
  });

  it.each([
    ['file:///etc/hostname', 'E_INVALID_ARGS', 'Only http and https'],
    ['http://localhost/', 'E_POLICY_DENIED', 'localhost'],
    ['http://192.168.0.1/', 'E_POLICY_DENIED', 'private network'],
    ['http://user:word@example.com/', 'E_INVALID_ARGS', 'password'],
  ])('refuses %s', async (url, code, message) => {
    await using tenas = await speak('tenas');
    expect(await tenas.reply('web-fetch', { url })).toEqual(failure(code, message));
  });
});
