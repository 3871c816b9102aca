/** `fs.delete`: files, links and whole directories, with the number a human is told. */
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { approver } from '../../support/approver.ts';
import { OUTSIDE_SECRET, type TempWorkspace, tempWorkspace } from '../../support/temp-workspace.ts';

async function remove(
  workspace: TempWorkspace,
  path: string,
): Promise<{ reply: unknown; previews: unknown[]; changed: unknown }> {
  const approve = approver('once');
  const runtime = await workspace.runtime({ approve });
  const { reply, result } = await runtime.call('delete', { path });
  const { asked } = approve;
  return {
    reply,
    previews: asked.map(({ preview }) => preview?.text),
    changed: result.artifacts?.files_changed,
  };
}

describe('fs.delete', () => {
  it('deletes a file', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'x', 'b.txt': 'y' });
    expect(await remove(workspace, 'a.txt')).toEqual({
      reply: { ok: true, path: join(workspace.root, 'a.txt'), files: 1 },
      previews: ['Deletes a.txt: 1 file.'],
      changed: ['a.txt'],
    });
    expect(readdirSync(workspace.root)).toEqual(['b.txt']);
  });

  it('deletes a directory with all it holds, and the question names how many files that are', async () => {
    await using workspace = tempWorkspace({ 'd/a': '', 'd/b/c': '', 'd/b/e/f': '', 'other/x': '' });
    mkdirSync(join(workspace.root, 'd/empty'));
    symlinkSync('../a', join(workspace.root, 'd/b/link'));
    expect(await remove(workspace, 'd')).toEqual({
      reply: { ok: true, path: join(workspace.root, 'd'), files: 4 },
      previews: ['Deletes d: 4 files.'],
      changed: ['d'],
    });
    expect(readdirSync(workspace.root)).toEqual(['other']);
  });

  it('deletes an empty directory', async () => {
    await using workspace = tempWorkspace();
    mkdirSync(join(workspace.root, 'empty'));
    expect(await remove(workspace, 'empty')).toMatchObject({
      reply: { ok: true, files: 0 },
      previews: ['Deletes empty: 0 files.'],
    });
    expect(existsSync(join(workspace.root, 'empty'))).toBe(false);
  });

  it('deletes a link and not what it leads to', async () => {
    await using workspace = tempWorkspace({ 'real/file': 'kept' });
    symlinkSync('real', join(workspace.root, 'link'));
    symlinkSync(workspace.outside, join(workspace.root, 'outside'));
    expect(await remove(workspace, 'link')).toMatchObject({ reply: { ok: true, files: 1 } });
    expect(await remove(workspace, 'outside')).toMatchObject({ reply: { ok: true, files: 1 } });
    expect(readdirSync(workspace.root)).toEqual(['real']);
    expect(readFileSync(join(workspace.root, 'real/file'), 'utf8')).toBe('kept');
    expect(readFileSync(join(workspace.outside, 's.txt'), 'utf8')).toBe(OUTSIDE_SECRET);
  });

  it('follows no link inside a directory', async () => {
    await using workspace = tempWorkspace({ 'd/a': '' });
    symlinkSync(workspace.outside, join(workspace.root, 'd/outside'));
    expect(await remove(workspace, 'd')).toMatchObject({ reply: { ok: true, files: 2 } });
    expect(readFileSync(join(workspace.outside, 's.txt'), 'utf8')).toBe(OUTSIDE_SECRET);
  });

  it('deletes nothing of a directory that holds a protected entry', async () => {
    await using workspace = tempWorkspace({ 'd/a': 'x', 'd/z/.git/hooks/pre-commit': 'x' });
    const { reply, changed } = await remove(workspace, 'd');
    expect({ reply, changed }).toMatchObject({
      reply: { ok: false, denied: true, code: 'E_POLICY_DENIED' },
      changed: undefined,
    });
    expect(readFileSync(join(workspace.root, 'd/a'), 'utf8')).toBe('x');
  });

  it('deletes nothing of a directory that holds what a rule denies', async () => {
    await using workspace = tempWorkspace({ 'd/a': 'x', 'd/kept.lock': 'x' });
    const rules = [{ action: 'deny', permission: 'fs.delete', path: '*.lock' }] as const;
    const runtime = await workspace.runtime({ approve: approver('once'), rules });
    const { reply } = await runtime.call('delete', { path: 'd' });
    expect(reply).toEqual({
      ok: false,
      denied: true,
      reason:
        '"d" holds "d/kept.lock", which must not be touched. Nothing was changed. Go on with the other entries one by one.',
      code: 'E_POLICY_DENIED',
    });
    expect(readdirSync(join(workspace.root, 'd'))).toEqual(['a', 'kept.lock']);
  });

  it('asks nothing about what is not there, and never deletes the root', async () => {
    await using workspace = tempWorkspace({ 'a.txt': '' });
    expect(await remove(workspace, 'gone')).toMatchObject({
      reply: { ok: false, code: 'E_NOT_FOUND' },
      previews: [],
    });
    expect(await remove(workspace, '.')).toMatchObject({
      reply: { ok: false, code: 'E_INVALID_PATH' },
      previews: [],
    });
    expect(lstatSync(join(workspace.root, 'a.txt')).isFile()).toBe(true);
  });
});
