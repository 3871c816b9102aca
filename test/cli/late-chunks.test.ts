/** What a start of the built command line loads, and what it leaves for later. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { environmentOf, LAUNCHER } from '../support/command-line.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';

const SAY_LOADED = join(import.meta.dirname, 'fixtures/say-loaded.cjs');
const LATE = new Set(['command-analysis', 'config-file', 'diff', 'envelope', 'other-dialects', 'sandboxes']);

/** The late chunks that `handrail mcp` loaded for one call, which has to come to a good end. */
function loadedFor(
  workspace: TempWorkspace,
  name: string,
  args: object,
  more: readonly string[] = [],
): string[] {
  const clientInfo = { name: 'test', version: '1' };
  const messages = [
    { id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } },
    { id: 2, method: 'tools/call', params: { name, arguments: args } },
  ];
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--require', SAY_LOADED, LAUNCHER, 'mcp', '--workspace', workspace.root, ...more],
    {
      env: environmentOf(workspace),
      input: messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''),
      encoding: 'utf8',
    },
  );
  const { result } = JSON.parse(stdout.trim().split('\n').at(-1)!) as { result: { isError?: boolean } };
  expect(result.isError).toBeUndefined();
  return (JSON.parse(stderr) as string[]).filter((chunk) => LATE.has(chunk));
}

describe('loadLate', () => {
  it('leaves a start that reads a file without what it does not need', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'text\n' });
    expect(loadedFor(workspace, 'read', { path: 'a.txt' })).toEqual([]);
  });

  it('loads other dialects for who speaks one', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'text\n' });
    const loaded = loadedFor(workspace, 'read_file', { path: 'a.txt' }, ['--dialect', 'codelab']);
    expect(loaded).toEqual(['other-dialects']);
  });

  it('loads the differ for a write', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'text\n' });
    expect(loadedFor(workspace, 'write', { path: 'a.txt', content: 'other\n' })).toEqual(['diff']);
  });
});
