/** What a start of the built command line loads, and what it leaves for later. */
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { environmentOf, LAUNCHER } from '../support/command-line.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';
import { saying, webServer } from '../support/web-server.ts';

const SAY_LOADED = join(import.meta.dirname, 'fixtures/say-loaded.cjs');
const LATE = new Set([
  'charset',
  'command-analysis',
  'config-file',
  'diff',
  'envelope',
  'language-servers',
  'other-dialects',
  'sandboxes',
  'supervisor',
  'web',
]);

/** The late chunks that `handrail mcp` loaded for one call, which has to come to a good end. */
async function loadedFor(
  workspace: TempWorkspace,
  name: string,
  args: object,
  more: readonly string[] = [],
): Promise<string[]> {
  const command = [LAUNCHER, 'mcp', '--workspace', workspace.root, ...more];
  const child = spawn(process.execPath, ['--require', SAY_LOADED, ...command], {
    env: environmentOf(workspace),
  });
  const said = text(child.stderr);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (method: string, params: object): Promise<unknown> => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: method, method, params })}\n`);
    for (;;) {
      const answer = JSON.parse((await lines.next()).value as string) as { readonly id?: string };
      // What comes without being asked for has no id.
      if (answer.id === method) return answer;
    }
  };
  const clientInfo = { name: 'test', version: '1' };
  await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  const answer = await ask('tools/call', { name, arguments: args });
  expect(answer).toMatchObject({ id: 'tools/call', result: { structuredContent: expect.anything() } });
  // Its input is open until the call has its answer: who leaves before cancels it.
  child.stdin.end();
  // A slow start may have said by then which language servers are missing.
  const last = (await said).split('\n').at(-1)!;
  return (JSON.parse(last) as string[]).filter((chunk) => LATE.has(chunk));
}

describe('loadLate', () => {
  it('leaves a start that reads a file without what it does not need', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'text\n' });
    expect(await loadedFor(workspace, 'read', { path: 'a.txt' })).toEqual([]);
  });

  it('loads other dialects for who speaks one', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'text\n' });
    const loaded = await loadedFor(workspace, 'read_file', { path: 'a.txt' }, ['--dialect', 'codelab']);
    expect(loaded).toEqual(['other-dialects']);
  });

  it('loads the differ for a write', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'text\n' });
    expect(await loadedFor(workspace, 'write', { path: 'a.txt', content: 'other\n' })).toEqual(['diff']);
  });

  it('loads what the web takes for who fetches something', async () => {
    await using server = await webServer(saying('<p>text</p>', { 'content-type': 'text/html' }));
    await using workspace = tempWorkspace();
    const folder = join(environmentOf(workspace)['XDG_CONFIG_HOME']!, 'handrail');
    mkdirSync(folder, { recursive: true });
    const rules = [{ action: 'allow', permission: 'net.connect', host: '127.0.0.1' }];
    writeFileSync(join(folder, 'config.jsonc'), JSON.stringify({ rules }));
    const loaded = await loadedFor(workspace, 'web_fetch', { url: server.origin });
    expect(loaded.sort()).toEqual(['config-file', 'web']);
  });
});
