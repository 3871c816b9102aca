import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { environmentOf, handrail } from '../support/command-line.ts';
import { connectMcp, type McpClient } from '../support/mcp-client.ts';
import { tempWorkspace } from '../support/temp-workspace.ts';

async function isDenied({ client }: McpClient): Promise<boolean> {
  const result = await client.callTool({ name: 'write', arguments: { path: 'a.txt', content: 'x' } });
  return result.isError === true;
}

describe('handrail mcp', () => {
  it('asks only about what can not be taken back, where nothing else is said', async () => {
    await using workspace = tempWorkspace();
    await using mcp = await connectMcp(workspace);
    expect(await isDenied(mcp)).toBe(false);
    await mcp.client.close();
    // The mode is on record: the same history is decided the same way.
    const { stdout } = await handrail(workspace, ['policy', 'replay', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ calls: 1, differences: [] });
  });

  it('asks as the settings say', async () => {
    await using workspace = tempWorkspace();
    const settings = join(environmentOf(workspace)['XDG_CONFIG_HOME']!, 'handrail');
    mkdirSync(settings, { recursive: true });
    writeFileSync(join(settings, 'config.jsonc'), '{ "mode": "read-only" }');
    await using mcp = await connectMcp(workspace);
    expect(await isDenied(mcp)).toBe(true);
  });

  it('speaks the dialect it is told to', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'text\n' });
    await using mcp = await connectMcp(workspace, { args: ['--dialect', 'tenas'] });
    const { tools } = await mcp.client.listTools();
    expect(tools.map(({ name }) => name)).toContain('file-read');
    const result = await mcp.client.callTool({ name: 'file-read', arguments: { path: 'a.txt' } });
    expect(result.structuredContent).toEqual({ path: 'a.txt', bytes: 5, content: 'text\n' });
  });

  it.each(['/', 'HOME', 'none'])(
    'refuses the workspace %s at once, with nothing on stdout',
    async (where) => {
      await using workspace = tempWorkspace();
      const folder = where === 'HOME' ? workspace.locations.home : where;
      const ran = await handrail(workspace, ['mcp', '--workspace', folder]);
      expect(ran).toMatchObject({
        exitCode: 1,
        stdout: '',
        stderr: expect.stringMatching(/^handrail: The .*\n {2}.*--workspace/),
      });
    },
  );

  it('explains itself like every command', async () => {
    await using workspace = tempWorkspace();
    const { exitCode, stdout } = await handrail(workspace, ['mcp', '--help']);
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: expect.stringContaining('Usage: handrail mcp'),
    });
    expect(await handrail(workspace, ['mcp', '--workspace'])).toMatchObject({ exitCode: 2, stdout: '' });
  });

  it('refuses a dialect and a mode that are none', async () => {
    await using workspace = tempWorkspace();
    expect(await handrail(workspace, ['mcp', '--mode', 'wild'])).toMatchObject({ exitCode: 2, stdout: '' });
    const args = ['mcp', '--dialect', 'klingon', '--workspace', workspace.root];
    expect(await handrail(workspace, args)).toMatchObject({ exitCode: 2, stdout: '' });
    expect(existsSync(join(workspace.root, '.handrail'))).toBe(false);
  });
});
