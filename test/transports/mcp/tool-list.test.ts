import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fsStat } from '../../../src/capabilities/fs/stat.ts';
import { dialects } from '../../../src/dialects/index.ts';
import { type Dialect, defineDialect, defineTool } from '../../../src/index.ts';
import { findTool, toTools } from '../../../src/transports/mcp/tool-list.ts';
import { tempWorkspace } from '../../support/temp-workspace.ts';

function toolCalled(name: string): ReturnType<typeof defineTool> {
  return defineTool({
    name,
    version: '1.0.0',
    description: 'Looks.',
    args: z.strictObject({ path: z.string() }),
    returns: z.object({}),
    operation: fsStat,
    toInput: (args, workspace) => ({ path: workspace.path(args.path) }),
  });
}

function dialectOf(...names: string[]): Dialect {
  return defineDialect({
    name: 'dotted',
    paths: { absolute: 'refused' },
    tools: names.map(toolCalled),
    reply: ({ result }) => result,
  });
}

describe('toTools', () => {
  it('lists names without dots', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime({ dialects: [dialectOf('git.diff')], dialect: 'dotted' });
    expect(toTools(runtime.definitions())).toEqual([
      {
        name: 'git_diff',
        description: 'Looks.',
        inputSchema: {
          type: 'object',
          properties: { path: { type: 'string' } },
          required: ['path'],
          additionalProperties: false,
        },
        outputSchema: { type: 'object', properties: {} },
        annotations: {
          readOnlyHint: true,
          destructiveHint: false,
          idempotentHint: true,
          openWorldHint: false,
        },
      },
    ]);
  });

  it.each(dialects().map(({ name }) => name))(
    'gives every tool of %s schemas of objects',
    async (dialect) => {
      await using workspace = tempWorkspace();
      const tools = toTools((await workspace.runtime({ dialect })).definitions());
      expect(tools.length).toBeGreaterThan(0);
      for (const { inputSchema, outputSchema } of tools)
        expect([inputSchema.type, outputSchema?.['type']]).toEqual(['object', 'object']);
    },
  );

  it('costs at most 120 tokens a tool', async () => {
    await using workspace = tempWorkspace();
    const tools = toTools((await workspace.runtime()).definitions());
    // What a client hands to its model; four characters are about a token.
    const shown = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
    expect(JSON.stringify(shown).length / 4 / tools.length).toBeLessThan(120);
  });
});

describe('findTool', () => {
  it('finds a tool by its own name, and by the one that was listed', () => {
    const dialect = dialectOf('git.diff', 'git.log', 'git_log');
    expect(findTool(dialect, 'git.diff')?.name).toBe('git.diff');
    expect(findTool(dialect, 'git_diff')?.name).toBe('git.diff');
    expect(findTool(dialect, 'git_log')?.name).toBe('git_log');
    expect(findTool(dialect, 'git-diff')).toBeUndefined();
  });
});
