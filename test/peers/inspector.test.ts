/** The protocol's own inspector, by its command line, as a client that others wrote. */
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dialects } from '../../src/dialects/index.ts';
import { environmentOf, LAUNCHER } from '../support/command-line.ts';
import { serve } from '../support/serve.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';
import { type RanPeer, runPeer, whyNoPeers } from './peers.ts';

const missing = whyNoPeers();
if (missing !== undefined) process.stderr.write(`The inspector is not run: ${missing}.\n`);

const READ = ['--method', 'tools/call', '--tool-name', 'read', '--tool-arg', 'path=a.txt'];
const LIST = ['--method', 'tools/list'];

function inspect(workspace: TempWorkspace, args: readonly string[]): Promise<RanPeer> {
  const script = '@modelcontextprotocol/inspector/clients/launcher/build/index.js';
  return runPeer(script, ['--cli', ...args], dirname(workspace.root));
}

/** What starts `handrail mcp` for it. */
function onStdio(workspace: TempWorkspace, dialect: string): string[] {
  const environment = Object.entries(environmentOf(workspace)).flatMap(([name, value]) => [
    '-e',
    `${name}=${value}`,
  ]);
  const server = [process.execPath, LAUNCHER, 'mcp', '--workspace', workspace.root, '--dialect', dialect];
  return [...environment, ...server];
}

describe.skipIf(missing !== undefined)('mcp-inspector --cli', () => {
  it('lists and calls on stdio', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'text\n' });
    const server = onStdio(workspace, 'handrail');
    expect(await inspect(workspace, [...server, ...LIST])).toMatchObject({
      exitCode: 0,
      output: expect.stringContaining('"name": "read"'),
    });
    const { exitCode, output } = await inspect(workspace, [...server, ...READ]);
    expect(exitCode).toBe(0);
    expect(JSON.parse(output)).toMatchObject({
      structuredContent: { path: join(workspace.root, 'a.txt'), content: 'text' },
    });
  });

  it('lists and calls over HTTP, with the token', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'text\n' });
    await using server = await serve(workspace);
    const at = [server.mcpUrl.href, '--transport', 'http'];
    const token = ['--header', `Authorization: Bearer ${server.token}`];
    expect(await inspect(workspace, [...at, ...LIST, ...token])).toMatchObject({
      exitCode: 0,
      output: expect.stringContaining('"name": "read"'),
    });
    const { exitCode, output } = await inspect(workspace, [...at, ...READ, ...token]);
    expect(exitCode).toBe(0);
    expect(JSON.parse(output)).toMatchObject({ structuredContent: { content: 'text' } });
    expect(await inspect(workspace, [...at, ...LIST])).not.toMatchObject({ exitCode: 0 });
  });

  it.each(
    dialects()
      .filter(({ name }) => !name.includes('@'))
      .map(({ name }) => name),
  )('finds no schema of %s that other clients could not take', async (dialect) => {
    await using workspace = tempWorkspace();
    const ran = await inspect(workspace, [...onStdio(workspace, dialect), ...LIST, '--strict']);
    expect(ran).toMatchObject({ exitCode: 0 });
  });
});
