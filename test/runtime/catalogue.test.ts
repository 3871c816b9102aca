/** What tools publish about themselves, and what an agent does not have. */
import { describe, expect, it } from 'vitest';
import type { Agent } from '../../src/index.ts';
import { approver } from '../support/approver.ts';
import { tempWorkspace } from '../support/temp-workspace.ts';

describe('definitions', () => {
  it('publishes everything about a tool', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime({ dialect: 'codelab' });
    expect(runtime.definitions().find(({ name }) => name === 'delete_file')).toEqual({
      name: 'delete_file',
      version: '1.0.0',
      description: 'Delete a file, or a directory with all it holds.',
      args_schema: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        properties: { path: { type: 'string', description: 'Relative to the workspace' } },
        required: ['path'],
        additionalProperties: false,
      },
      return_schema: expect.objectContaining({
        type: 'object',
        required: ['success', 'files_deleted'],
      }) as unknown,
      required_permissions: ['fs.delete'],
      effect: 'delete',
      side_effects: ['deletes files'],
      risk: 'destructive',
      needsApproval: true,
      component: null,
      operation: 'fs.delete',
    });
  });

  it('says what a policy would ask about', async () => {
    await using workspace = tempWorkspace();
    const asked = async (
      rules: readonly { action: 'allow' | 'ask'; permission: 'fs.write' | 'fs.read' }[],
    ): Promise<unknown> => {
      const runtime = await workspace.runtime({ dialect: 'coder', rules });
      return Object.fromEntries(
        runtime.definitions().map(({ name, needsApproval }) => [name, needsApproval]),
      );
    };
    expect(await asked([])).toMatchObject({ read: false, write: true, list: false });
    expect(await asked([{ action: 'allow', permission: 'fs.write' }])).toMatchObject({
      read: false,
      write: false,
    });
    expect(await asked([{ action: 'ask', permission: 'fs.read' }])).toMatchObject({ read: true, list: true });
  });

  it('speaks for any dialect, and refuses one that does not exist', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime();
    const names = runtime.definitions(undefined, 'codelab@1.0').map(({ name }) => name);
    expect(names).toContain('read_file');
    expect(names).not.toContain('read');
    expect(() => runtime.definitions(undefined, 'nope')).toThrow('There is no dialect "nope".');
  });

  it('gives schemas that are JSON', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime();
    const all = runtime.dialects.flatMap(({ name }) => runtime.definitions(undefined, name));
    expect(JSON.parse(JSON.stringify(all))).toEqual(all);
    expect(
      all.map(({ args_schema }) => (args_schema as { additionalProperties?: unknown }).additionalProperties),
    ).toEqual(all.map(() => false));
  });
});

describe('an agent', () => {
  const reader: Agent = { name: 'reader', tools: { write: false, delete: false, read: true } };

  it('is not shown what is switched off, and is refused it at execution', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'x' });
    const approve = approver('once');
    const runtime = await workspace.runtime({ approve });
    const names = runtime.definitions(reader).map(({ name }) => name);
    expect(names).toEqual(
      runtime
        .definitions()
        .map(({ name }) => name)
        .filter((name) => name !== 'write' && name !== 'delete'),
    );
    const session = await runtime.openSession({ agent: reader });
    expect((await runtime.call('write', { path: 'b.txt', content: '' }, { session })).reply).toEqual({
      ok: false,
      error: 'unknown tool: The tool write is switched off for the agent reader.',
      code: 'E_NO_TOOL',
    });
    await expect(runtime.approvalRequest('delete', { path: 'a.txt' }, { session })).rejects.toMatchObject({
      code: 'E_NO_TOOL',
    });
    expect((await runtime.call('read', { path: 'a.txt' }, { session })).outcome).toBe('ok');
    expect((await runtime.call('list', {}, { session })).outcome).toBe('ok');
    expect(approve.asked).toEqual([]);
  });

  it('has every tool it does not name', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime();
    const inherited = Object.create({ read: false }) as Record<string, boolean>;
    for (const agent of [
      { name: 'plain' },
      { name: 'empty', tools: {} },
      { name: 'inherited', tools: inherited },
    ]) {
      expect(runtime.definitions(agent)).toEqual(runtime.definitions());
    }
  });
});
