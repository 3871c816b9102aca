/** Which folder a client works in. */
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { connectMcp, ERAS, textOf } from '../../support/mcp-client.ts';
import { tempWorkspace } from '../../support/temp-workspace.ts';

const LIST = { name: 'list', arguments: {} };

describe('Connection', () => {
  it("works in the first of the client's roots that is a folder", async () => {
    await using workspace = tempWorkspace();
    const roots = ['https://example.org/', pathToFileURL(workspace.outside).href, 'file:///tmp'];
    await using mcp = await connectMcp(workspace, { roots });
    expect(await mcp.client.callTool(LIST)).toMatchObject({ structuredContent: { path: workspace.outside } });
  });

  it.each([[[]], [['https://example.org/']]])('works where it was started with roots %j', async (roots) => {
    await using workspace = tempWorkspace();
    await using mcp = await connectMcp(workspace, { roots });
    expect(await mcp.client.callTool(LIST)).toMatchObject({ structuredContent: { path: workspace.root } });
  });

  it.each(ERAS)('in %s, works where it was told to, whatever the client has', async (era) => {
    await using workspace = tempWorkspace();
    const roots = [pathToFileURL(workspace.root).href];
    const args = ['--workspace', workspace.outside];
    await using mcp = await connectMcp(workspace, { era, roots, args });
    expect(await mcp.client.callTool(LIST)).toMatchObject({ structuredContent: { path: workspace.outside } });
  });

  it.each(ERAS)('in %s, says that it can not work in the home folder', async (era) => {
    await using workspace = tempWorkspace();
    await using mcp = await connectMcp(workspace, { era, folder: workspace.locations.home });
    const result = await mcp.client.callTool(LIST);
    expect(result.isError).toBe(true);
    expect(textOf(result)).toBe(
      'The home folder, or a folder that holds it, can not be a workspace. Start in a project folder, or name one with --workspace.',
    );
    await expect(mcp.client.listTools()).rejects.toThrow('name one with --workspace');
  });

  it.each(['file:///', 'file:///no/such/folder', 'file://elsewhere/folder'])(
    'says that it can not work in the root %s',
    async (root) => {
      await using workspace = tempWorkspace();
      await using mcp = await connectMcp(workspace, { roots: [root] });
      const result = await mcp.client.callTool(LIST);
      expect(result.isError).toBe(true);
      expect(textOf(result)).toContain('--workspace');
    },
  );
});
