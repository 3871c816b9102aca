/** Tools over MCP, by the SDK's own client and a real process, in both eras of the protocol. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { handrail } from '../../support/command-line.ts';
import { connectedWorkspace, connectMcp, textOf, WAYS } from '../../support/mcp-client.ts';
import { shared } from '../../support/shared.ts';
import { tempWorkspace } from '../../support/temp-workspace.ts';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const PDF = Buffer.from('%PDF-1.7\n');

const FILES = { 'a.txt': 'one\ntwo\n', 'a.png': PNG, 'a.pdf': PDF };

describe.each(WAYS)('MCP in $era over $over', ({ era, over }) => {
  const connected = shared(async (stack) => stack.use(await connectedWorkspace(FILES, { era, over })));

  it('lists the tools of the dialect, with schemas and hints', async () => {
    const { client, workspace } = connected();
    expect(client.getNegotiatedProtocolVersion()).toBe(era);
    const { tools } = await client.listTools();
    const { stdout } = await handrail(workspace, ['tools', '--json']);
    const definitions = JSON.parse(stdout) as { name: string }[];
    expect(tools.map(({ name }) => name)).toEqual(definitions.map(({ name }) => name));
    expect(tools.find(({ name }) => name === 'stat')).toMatchObject({
      inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
      outputSchema: { type: 'object', properties: { ok: { const: true } } },
      annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
    });
    const hints = { readOnlyHint: false, destructiveHint: true, openWorldHint: false };
    expect(tools.find(({ name }) => name === 'write')?.annotations).toMatchObject(hints);
    expect(tools.find(({ name }) => name === 'delete')?.annotations).toMatchObject(hints);
  });

  it('gives a result as data of the promised shape, and as the same JSON in text', async () => {
    const { client, workspace } = connected();
    // What was listed is what the client holds results against.
    await client.listTools();
    const result = await client.callTool({ name: 'read', arguments: { path: 'a.txt' } });
    const expected = {
      ok: true,
      path: join(workspace.root, 'a.txt'),
      content: 'one\ntwo',
      start_line: 1,
      end_line: 2,
      has_more: false,
    };
    expect(result.isError).toBeUndefined();
    expect(result.structuredContent).toEqual(expected);
    expect(JSON.parse(textOf(result))).toEqual(expected);
  });

  it("gives a failure in the dialect's words, and says that it is one", async () => {
    const { client } = connected();
    await client.listTools();
    const result = await client.callTool({ name: 'read', arguments: { path: 'none.txt' } });
    expect(result).toMatchObject({ isError: true });
    expect(result.structuredContent).toBeUndefined();
    expect(JSON.parse(textOf(result))).toEqual({
      ok: false,
      error: 'There is no "none.txt".',
      code: 'E_NOT_FOUND',
    });
  });

  it('answers an unknown tool with the nearest names', async () => {
    const { client } = connected();
    const result = await client.callTool({ name: 'raed', arguments: {} });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('Did you mean read');
  });

  it('denies at once where nobody can be asked, and says how to be', async () => {
    await using workspace = tempWorkspace();
    await using mcp = await connectMcp(workspace, { era, over, args: ['--mode', 'ask'] });
    const result = await mcp.client.callTool({ name: 'write', arguments: { path: 'a.txt', content: 'x' } });
    expect(result.isError).toBe(true);
    expect(JSON.parse(textOf(result))).toMatchObject({ ok: false, denied: true, code: 'E_DENIED' });
    expect(textOf(result)).toContain('handrail approvals watch');
    expect(existsSync(join(workspace.root, 'a.txt'))).toBe(false);
  });

  it('carries an image as an image, and other files as resources, once each', async () => {
    const { client, workspace } = connected();
    await client.listTools();
    const image = await client.callTool({ name: 'view', arguments: { path: 'a.png' } });
    const about = {
      ok: true,
      path: join(workspace.root, 'a.png'),
      media_type: 'image/png',
      size_bytes: PNG.length,
    };
    expect(image.structuredContent).toEqual(about);
    expect(image.content).toEqual([
      { type: 'image', data: PNG.toString('base64'), mimeType: 'image/png' },
      { type: 'text', text: JSON.stringify(about) },
    ]);
    const document = await client.callTool({ name: 'view', arguments: { path: 'a.pdf' } });
    expect(document.content[0]).toMatchObject({
      type: 'resource',
      resource: { mimeType: 'application/pdf', blob: PDF.toString('base64') },
    });
  });

  it('puts the calls of a connection into one session and one turn, which `handrail undo` takes back', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'old\n' });
    await using mcp = await connectMcp(workspace, { era, over });
    const write = (path: string): Promise<{ isError?: boolean | undefined }> =>
      mcp.client.callTool({ name: 'write', arguments: { path, content: 'new\n' } });
    expect([(await write('a.txt')).isError, (await write('b.txt')).isError]).toEqual([undefined, undefined]);
    const turns = JSON.parse((await handrail(workspace, ['turns', '--json'])).stdout) as object[];
    expect(turns).toMatchObject([{ entries: 2 }]);
    expect(await handrail(workspace, ['undo'])).toMatchObject({ exitCode: 0 });
    expect(readFileSync(join(workspace.root, 'a.txt'), 'utf8')).toBe('old\n');
    expect(existsSync(join(workspace.root, 'b.txt'))).toBe(false);
  });

  it('takes session, turn and trace from `_meta`', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'text\n' });
    await using mcp = await connectMcp(workspace, { era, over });
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const _meta = {
      'handrail/session': 'ses_mine',
      'handrail/turn': 'turn_mine',
      traceparent: `00-${traceId}-b7ad6b7169203331-01`,
    };
    const read = { name: 'read', arguments: { path: 'a.txt' } };
    const result = await mcp.client.callTool({ ...read, _meta });
    const call = String(result._meta?.['handrail/call']);
    expect(result._meta?.['handrail/turn']).toBe('turn_mine');
    await mcp.client.close();
    const { stdout } = await handrail(workspace, ['audit', 'show', call]);
    expect(stdout).toContain('ses_mine');
    expect(stdout).toContain('turn_mine');
    expect(stdout).toContain(traceId);
  });

  it('refuses an id in `_meta` that is none', async () => {
    const { client } = connected();
    const call = client.callTool({ name: 'list', arguments: {}, _meta: { 'handrail/turn': 7 } });
    await expect(call).rejects.toThrow('_meta["handrail/turn"] is a text');
  });
});
