import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { handrail } from '../support/command-line.ts';
import { connectToServer, textOf } from '../support/mcp-client.ts';
import { questionsOf } from '../support/questions.ts';
import { serve } from '../support/serve.ts';
import { tempWorkspace } from '../support/temp-workspace.ts';

describe('handrail serve', () => {
  it('prints an address that leads to the page, and keeps the approval key out of every request', async () => {
    await using workspace = tempWorkspace();
    await using server = await serve(workspace);
    const key = server.approvalKey;
    expect(key).toMatch(/^[\w-]{43}$/);
    expect(key).not.toBe(server.url.searchParams.get('token'));
    const entered = await get(server.url, {});
    expect(entered).toMatchObject({ status: 302, headers: { location: '/' } });
    const cookie = String(entered.headers['set-cookie']).split(';')[0]!;
    const page = await get(new URL('/', server.url), { cookie });
    expect(page.status).toBe(200);
    expect(page.body).toContain('id="console"');
    expect(page.body).not.toContain(key);
  });

  it.each(['/', '/icon.svg', '/no-such-route'])(
    'gives nothing on %s without the right token, host and origin',
    async (path) => {
      await using workspace = tempWorkspace();
      await using server = await serve(workspace);
      const url = new URL(path, server.url);
      const authorization = `Bearer ${server.url.searchParams.get('token')}`;
      const statusOf = async (headers: Record<string, string>, target: URL = url): Promise<number> =>
        (await get(target, headers)).status;
      expect(await statusOf({})).toBe(401);
      expect(await statusOf({ authorization: 'Bearer ' })).toBe(401);
      expect(await statusOf({ authorization: `${authorization}x` })).toBe(401);
      expect(await statusOf({}, new URL(`${path}?token=`, server.url))).toBe(401);
      expect(await statusOf({ authorization, host: 'evil.test' })).toBe(421);
      expect(await statusOf({ authorization, host: `127.0.0.1.evil.test:${url.port}` })).toBe(421);
      expect(await statusOf({ authorization, host: 'localhost:1' })).toBe(421);
      expect(await statusOf({ authorization, origin: 'http://evil.test' })).toBe(403);
      expect(await statusOf({ authorization, origin: 'null' })).toBe(403);
      expect(await statusOf({ authorization })).toBe(path === '/no-such-route' ? 404 : 200);
    },
  );

  it('prints where agents find MCP, with a token that does not let them answer questions', async () => {
    await using workspace = tempWorkspace();
    await using server = await serve(workspace, ['--mode', 'ask']);
    await using mcp = await connectToServer(server);
    expect(server.token).toBe(server.url.searchParams.get('token'));
    await mcp.client.callTool({ name: 'list', arguments: {} });
    await using questions = questionsOf(workspace);
    await using _watch = await questions.someoneWatches();
    const write = { name: 'write', arguments: { path: 'a.txt', content: 'new\n' } };
    const writing = mcp.client.callTool(write);
    const [question] = await questions.whenOpen();
    const answered = await fetch(new URL(`/api/approvals/${question!.id}/answer`, server.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ answer: 'once' }),
    });
    expect(answered.status).toBe(403);
    await questions.answer(question!.id, { answer: 'deny', reason: 'Not by yourself.' });
    expect(textOf(await writing)).toContain('Not by yourself.');
  });

  it('takes the token that HANDRAIL_TOKEN says, if it is one', async () => {
    await using workspace = tempWorkspace();
    const chosen = { environment: { HANDRAIL_TOKEN: 'a-token-of-the-user' } };
    await using server = await serve(workspace, [], chosen);
    expect(server.token).toBe('a-token-of-the-user');
    await using mcp = await connectToServer(server);
    expect((await mcp.client.listTools()).tools).not.toHaveLength(0);
    for (const token of ['', 'short', 'with a space in it, and more'])
      await expect(serve(workspace, [], { environment: { HANDRAIL_TOKEN: token } })).rejects.toThrow(
        'HANDRAIL_TOKEN is a token of 16',
      );
  });

  it('says that a port is taken', async () => {
    await using workspace = tempWorkspace();
    await using server = await serve(workspace);
    const ran = await handrail(workspace, ['serve', '--port', server.url.port]);
    expect(ran).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/something else listens there[^]*--port/),
    });
  });

  it('stops in good order', async () => {
    await using workspace = tempWorkspace();
    const server = await serve(workspace);
    await server[Symbol.asyncDispose]();
    expect(server.child.exitCode).toBe(0);
    expect(await handrail(workspace, ['audit', 'verify'])).toMatchObject({ exitCode: 0 });
  });
});

/** A plain request: fetch would not send another Host. */
function get(
  url: URL,
  headers: Record<string, string>,
): Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode!,
          headers: response.headers,
          body: Buffer.concat(chunks).toString(),
        }),
      );
    });
    sent.on('error', reject);
    sent.end();
  });
}
