/** `fs.move`: files, links and whole directories to another name, replacing nothing. */
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Rule } from '../../../src/index.ts';
import { treeOf } from '../../journal/fixtures/tree.ts';
import { approver } from '../../support/approver.ts';
import { OUTSIDE_SECRET, type TempWorkspace, tempWorkspace } from '../../support/temp-workspace.ts';

interface Moved {
  readonly reply: unknown;
  readonly previews: unknown[];
  readonly changed: unknown;
}

async function move(
  workspace: TempWorkspace,
  from: string,
  to: string,
  rules: readonly Rule[] = [],
): Promise<Moved> {
  const approve = approver('once');
  const runtime = await workspace.runtime({ approve, rules });
  const { reply, result } = await runtime.call('move', { from, to });
  return {
    reply,
    previews: approve.asked.map(({ preview }) => preview?.text),
    changed: result.artifacts?.files_changed,
  };
}

describe('fs.move', () => {
  it.each(['reversible', 'auto', 'ask'] as const)(
    'takes no file along to where nobody would be asked about it, in mode %s',
    async (mode) => {
      await using workspace = tempWorkspace({ 'config/prod/k': 'secret\n', 'config/.env': 'secret\n' });
      const rules: Rule[] = [{ action: 'ask', permission: 'fs.read', path: '/config/prod/' }];
      const runtime = await workspace.runtime({ mode, rules, approve: approver('once') });
      const { result } = await runtime.call('move', { from: 'config', to: 'moved' });
      expect(result.error).toMatchObject({
        code: 'E_POLICY_DENIED',
        message: '"config" holds "config/prod", which must not be touched.',
      });
      expect(Object.keys(treeOf(workspace.root))).toContain('config/prod/k');
    },
  );

  it('takes a file along that is asked about there too', async () => {
    await using workspace = tempWorkspace({ 'config/.env': 'secret\n', 'config/prod/k': 'secret\n' });
    const rules: Rule[] = [{ action: 'ask', permission: 'fs.read', path: 'prod' }];
    expect((await move(workspace, 'config', 'moved', rules)).reply).toMatchObject({ ok: true, files: 2 });
  });

  it('renames a file, with its mode and content', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'x', 'b.txt': 'y' });
    const before = treeOf(workspace.root);
    expect(await move(workspace, 'a.txt', 'c.txt')).toEqual({
      reply: {
        ok: true,
        from: join(workspace.root, 'a.txt'),
        to: join(workspace.root, 'c.txt'),
        files: 1,
      },
      previews: ['Moves a.txt to c.txt: 1 file.'],
      changed: ['a.txt', 'c.txt'],
    });
    expect(treeOf(workspace.root)).toEqual({ 'b.txt': before['b.txt'], 'c.txt': before['a.txt'] });
  });

  it('moves a directory with all it holds, makes what is missing on the way, and the question says how many files', async () => {
    await using workspace = tempWorkspace({ 'd/a': 'a', 'd/b/c': 'c' });
    const { root, outside } = workspace;
    mkdirSync(join(root, 'd/empty'), { mode: 0o700 });
    symlinkSync('../a', join(root, 'd/b/link'));
    symlinkSync(outside, join(root, 'd/outside'));
    const before = treeOf(root);
    expect(await move(workspace, 'd', 'new/in/e')).toMatchObject({
      reply: { ok: true, files: 4 },
      previews: ['Moves d to new/in/e: 4 files.'],
      changed: ['d', 'new/in/e'],
    });
    const moved = Object.entries(before).map(([path, entry]) => [path.replace(/^d/, 'new/in/e'), entry]);
    expect(treeOf(root)).toEqual({
      ...Object.fromEntries(moved),
      new: expect.stringMatching(/^directory/),
      'new/in': expect.stringMatching(/^directory/),
    });
    expect(readFileSync(join(outside, 's.txt'), 'utf8')).toBe(OUTSIDE_SECRET);
  });

  it('moves a link and not what it leads to', async () => {
    await using workspace = tempWorkspace({ 'real/file': 'kept' });
    symlinkSync('real', join(workspace.root, 'link'));
    symlinkSync(workspace.outside, join(workspace.root, 'outside'));
    expect(await move(workspace, 'link', 'a')).toMatchObject({ reply: { ok: true, files: 1 } });
    expect(await move(workspace, 'outside', 'b')).toMatchObject({ reply: { ok: true, files: 1 } });
    expect(treeOf(workspace.root)).toEqual({
      a: 'link to real',
      b: `link to ${workspace.outside}`,
      real: expect.stringMatching(/^directory/),
      'real/file': expect.stringMatching(/^file .* kept$/),
    });
  });

  it('moves into a directory that a link leads to, but not outside', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a', 'b.txt': 'b', 'real/file': 'kept' });
    symlinkSync('real', join(workspace.root, 'link'));
    symlinkSync(workspace.outside, join(workspace.root, 'outside'));
    expect(await move(workspace, 'a.txt', 'link/a.txt')).toMatchObject({ reply: { ok: true } });
    expect(readFileSync(join(workspace.root, 'real/a.txt'), 'utf8')).toBe('a');
    const before = [treeOf(workspace.root), treeOf(workspace.outside)];
    expect(await move(workspace, 'b.txt', 'outside/b.txt')).toMatchObject({
      reply: { ok: false, code: 'E_OUTSIDE_WORKSPACE' },
      previews: [],
    });
    expect(await move(workspace, 'outside/s.txt', 's.txt')).toMatchObject({
      reply: { ok: false, code: 'E_OUTSIDE_WORKSPACE' },
      previews: [],
    });
    expect([treeOf(workspace.root), treeOf(workspace.outside)]).toEqual(before);
  });

  it.each([
    ['onto a file', 'a.txt', 'b.txt', 'E_CONFLICT'],
    ['onto an empty directory', 'a.txt', 'empty', 'E_CONFLICT'],
    ['onto a directory', 'd', 'empty', 'E_CONFLICT'],
    ['onto what a link leads to', 'a.txt', 'link', 'E_CONFLICT'],
    ['onto itself', 'a.txt', 'a.txt', 'E_INVALID_PATH'],
    ['onto itself in other words', 'd', 'empty/../d', 'E_INVALID_PATH'],
    ['into itself', 'd', 'd/in/it', 'E_INVALID_PATH'],
    ['onto the root', 'd', '.', 'E_INVALID_PATH'],
    ['below a file', 'd', 'b.txt/below', 'E_NOT_DIR'],
    ['to a name that Windows keeps for itself', 'a.txt', 'new/nul.txt', 'E_INVALID_PATH'],
    ['out of nowhere', 'gone', 'new/name', 'E_NOT_FOUND'],
    ['of the root', '.', 'new', 'E_INVALID_PATH'],
    ['out of the workspace', 'a.txt', '../a.txt', 'E_OUTSIDE_WORKSPACE'],
    ['into the workspace', '../out/s.txt', 's.txt', 'E_OUTSIDE_WORKSPACE'],
  ])('refuses a move %s and changes nothing', async (_, from, to, code) => {
    await using workspace = tempWorkspace({ 'a.txt': 'a', 'b.txt': 'b', 'd/e': 'e' });
    mkdirSync(join(workspace.root, 'empty'));
    symlinkSync('b.txt', join(workspace.root, 'link'));
    const before = [treeOf(workspace.root), treeOf(workspace.outside)];
    const { reply, changed } = await move(workspace, from, to);
    expect({ reply, changed }).toMatchObject({ reply: { ok: false, code }, changed: undefined });
    expect([treeOf(workspace.root), treeOf(workspace.outside)]).toEqual(before);
  });

  it.each([
    ['deleted', { action: 'deny', permission: 'fs.delete', path: 'd/*.lock' }],
    ['read', { action: 'deny', permission: 'fs.read', path: 'd/*.lock' }],
    ['written under its new name', { action: 'deny', permission: 'fs.write', path: 'e/*.lock' }],
  ] satisfies [string, Rule][])(
    'moves nothing of a directory that holds what must not be %s',
    async (_, rule) => {
      await using workspace = tempWorkspace({ 'd/a': 'x', 'd/kept.lock': 'x', 'd/z': 'x' });
      const before = treeOf(workspace.root);
      const { reply, changed } = await move(workspace, 'd', 'e', [rule]);
      expect({ reply, changed }).toEqual({
        reply: {
          ok: false,
          denied: true,
          reason:
            '"d" holds "d/kept.lock", which must not be touched. Nothing was changed. Go on with the other entries one by one.',
          code: 'E_POLICY_DENIED',
        },
        changed: undefined,
      });
      expect(treeOf(workspace.root)).toEqual(before);
    },
  );

  it.each([
    ['d', 'e'],
    ['hook', 'd/z/.git/hooks/pre-push'],
    ['d/z/.git/hooks/pre-commit', 'hook-off'],
    ['hook', '.handrail/config.jsonc'],
  ])('touches no protected place: %s to %s', async (from, to) => {
    await using workspace = tempWorkspace({ 'd/z/.git/hooks/pre-commit': 'x', hook: 'x' });
    const before = treeOf(workspace.root);
    const { reply } = await move(workspace, from, to);
    expect(reply).toMatchObject({ ok: false, denied: true, code: 'E_POLICY_DENIED' });
    expect(treeOf(workspace.root)).toEqual(before);
  });

  it('asks about the place it takes from and the place it puts to', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'x' });
    const approve = approver('deny', 'not now');
    const runtime = await workspace.runtime({ approve });
    const { outcome } = await runtime.call('move', { from: 'a.txt', to: 'b.txt' });
    expect(outcome).toBe('denied');
    expect(approve.asked.map(({ accesses }) => accesses)).toEqual([
      [
        { permission: 'fs.delete', resource: 'a.txt', resolved: 'a.txt' },
        { permission: 'fs.write', resource: 'b.txt', resolved: 'b.txt' },
      ],
    ]);
    expect(Object.keys(treeOf(workspace.root))).toEqual(['a.txt']);
  });

  it('moves nothing once it is cancelled', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'x' });
    const controller = new AbortController();
    const runtime = await workspace.runtime({
      approve: async () => {
        controller.abort();
        return { answer: 'once' };
      },
    });
    const { signal } = controller;
    const { outcome } = await runtime.call('move', { from: 'a.txt', to: 'b.txt' }, { signal });
    expect(outcome).toBe('cancelled');
    expect(Object.keys(treeOf(workspace.root))).toEqual(['a.txt']);
  });
});
