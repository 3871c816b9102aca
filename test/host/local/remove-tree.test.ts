/** Removing and counting contained trees, and sweeping what crashed writes left. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempWorkspace } from '../../support/temp-workspace.ts';
import { specialFiles } from './fixtures/special-files.ts';
import { useFiles } from './fixtures/use-files-in-a-child.ts';
import { allEnd, endings, filesOf, link } from './fixtures/workspace-files.ts';

const anything = { mayRemove: () => true };
const FILES = { 'd/a.txt': 'a', 'd/e/b.txt': 'b', 'd/e/f/c.txt': 'c', 'kept.txt': 'kept' };

describe('files.remove', () => {
  it('removes a file and nothing beside it', async () => {
    await using workspace = tempWorkspace(FILES);
    expect(await filesOf(workspace).remove('d/a.txt', anything)).toEqual({ files: 1 });
    expect(tree(workspace.root)).toEqual(['d', 'd/e', 'd/e/b.txt', 'd/e/f', 'd/e/f/c.txt', 'kept.txt']);
  });

  it('removes a tree with all it holds, links as links, and counts what is no directory', async () => {
    await using workspace = tempWorkspace(FILES);
    mkdirSync(join(workspace.root, 'd/empty'));
    link(workspace, {
      'd/out': workspace.outside,
      'd/to-kept': '../kept.txt',
      'd/dangling': 'nowhere',
      'd/loop': 'loop',
    });
    const files = filesOf(workspace);
    expect(await files.count('d')).toBe(7);
    expect(await files.remove('d', anything)).toEqual({ files: 7 });
    expect(tree(workspace.root)).toEqual(['kept.txt']);
    expect(readdirSync(workspace.outside)).toEqual(['s.txt']);
  });

  it('removes a link itself and leaves what it leads to', async () => {
    await using workspace = tempWorkspace(FILES);
    const before = tree(workspace.root);
    link(workspace, { 'to-directory': 'd', 'to-file': 'kept.txt', out: workspace.outside });
    const files = filesOf(workspace);
    for (const path of ['to-directory', 'to-file', 'out'])
      expect(await files.remove(path, anything)).toEqual({ files: 1 });
    expect(tree(workspace.root)).toEqual(before);
    expect(readdirSync(workspace.outside)).toEqual(['s.txt']);
  });

  it('goes through no link on the way', async () => {
    await using workspace = tempWorkspace(FILES);
    link(workspace, { 'to-directory': 'd', out: workspace.outside });
    const before = tree(workspace.root);
    const paths = ['to-directory/a.txt', 'out/s.txt'];
    expect(await endings(paths, (path) => filesOf(workspace).remove(path, anything))).toEqual(
      allEnd(paths, 'E_NOT_DIR'),
    );
    expect([tree(workspace.root), readdirSync(workspace.outside)]).toEqual([before, ['s.txt']]);
  });

  it('asks about every entry before the first is removed, and one no stops all', async () => {
    await using workspace = tempWorkspace(FILES);
    link(workspace, { 'd/z-link': '../kept.txt' });
    const before = tree(workspace.root);
    const all = ['d', 'd/a.txt', 'd/e', 'd/e/b.txt', 'd/e/f', 'd/e/f/c.txt', 'd/z-link'];
    const files = filesOf(workspace);
    for (const refused of all) {
      const mayRemove = (path: string): boolean => path !== refused;
      await expect(files.remove('d', { mayRemove })).rejects.toMatchObject({
        code: 'E_POLICY_DENIED',
        message: expect.stringContaining(`"d" holds ${JSON.stringify(refused)}`),
      });
      expect(tree(workspace.root)).toEqual(before);
    }
    const asked: string[] = [];
    await files.remove('d', { mayRemove: (path) => asked.push(path) > 0 });
    expect(asked.sort()).toEqual(all);
  });

  it('removes nothing when the call is cancelled before', async () => {
    await using workspace = tempWorkspace(FILES);
    const before = tree(workspace.root);
    const signal = AbortSignal.abort();
    await expect(filesOf(workspace).remove('d', { ...anything, signal })).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(tree(workspace.root)).toEqual(before);
  });

  it('removes nothing when the call is cancelled while it still looks', async () => {
    await using workspace = tempWorkspace(FILES);
    const before = tree(workspace.root);
    const controller = new AbortController();
    const removal = filesOf(workspace).remove('d', {
      signal: controller.signal,
      mayRemove(path) {
        if (path === 'd/e/f') controller.abort();
        return true;
      },
    });
    await expect(removal).rejects.toMatchObject({ name: 'AbortError' });
    expect(tree(workspace.root)).toEqual(before);
  });

  it('removes pipes, sockets and devices without opening them', async ({ skip }) => {
    await using workspace = tempWorkspace();
    await using special = await specialFiles(workspace);
    expect(
      await useFiles(
        workspace,
        special.paths.map((path) => ['remove', path]),
      ),
    ).toEqual(special.paths.map(() => ({ files: 1 })));
    expect(tree(workspace.root)).toEqual([]);
    skip(special.whyNoDevice !== undefined, special.whyNoDevice);
  });

  it('fails for what is missing and for the root itself', async () => {
    await using workspace = tempWorkspace(FILES);
    const before = tree(workspace.root);
    const files = filesOf(workspace);
    const expected = { missing: 'E_NOT_FOUND', 'no/a': 'E_NOT_FOUND', '.': 'E_INVALID_PATH' };
    expect(await endings(Object.keys(expected), (path) => files.remove(path, anything))).toEqual(expected);
    expect(await endings(Object.keys(expected), (path) => files.count(path))).toEqual(expected);
    expect(tree(workspace.root)).toEqual(before);
  });

  it('removes a tree of 300 levels', async () => {
    await using workspace = tempWorkspace({ [`${'d/'.repeat(300)}f`]: 'x' });
    expect(await filesOf(workspace).remove('d', anything)).toEqual({ files: 1 });
    expect(tree(workspace.root)).toEqual([]);
  });
});

describe('files.sweep', () => {
  it('removes the temporary files of the call beside the path, and nothing else', async () => {
    await using workspace = tempWorkspace();
    const swept = ['.handrail-call_1-1.tmp', '.handrail-call_1-27.tmp'];
    const kept = [
      '.handrail-call_10-1.tmp',
      '.handrail-call_2-1.tmp',
      '.handrail-call_1-1.tmp.bak',
      'x.handrail-call_1-1.tmp',
      'f',
    ];
    for (const name of [...swept, ...kept]) workspace.write(`d/${name}`, name);
    workspace.write('.handrail-call_1-1.tmp', 'in another folder');
    const files = filesOf(workspace);
    expect(await files.sweep('d/missing.txt', 'call_1')).toBe(2);
    expect(readdirSync(join(workspace.root, 'd')).sort()).toEqual(kept.sort());
    expect(await files.sweep('d/missing.txt', 'call_1')).toBe(0);
    expect(await files.sweep('f', 'call_1')).toBe(1);
  });

  it('finds what a write of the same call leaves', async () => {
    await using workspace = tempWorkspace();
    const files = filesOf(workspace);
    const controller = new AbortController();
    const write = files.write('d/f', Buffer.from('x'), { callId: 'call_left', signal: controller.signal });
    // The temporary file is there while the write runs: what a crash at this moment would leave.
    const [temporary = 'none'] = readdirSync(join(workspace.root, 'd'));
    controller.abort();
    await expect(write).rejects.toMatchObject({ name: 'AbortError' });
    workspace.write(`d/${temporary}`, 'left by a crash');
    expect(await files.sweep('d/f', 'call_left')).toBe(1);
  });

  it('removes a link of that name, not what it leads to', async () => {
    await using workspace = tempWorkspace();
    writeFileSync(join(workspace.outside, 't.txt'), 'target');
    link(workspace, { '.handrail-call_1-1.tmp': join(workspace.outside, 't.txt') });
    expect(await filesOf(workspace).sweep('f', 'call_1')).toBe(1);
    expect(readFileSync(join(workspace.outside, 't.txt'), 'utf8')).toBe('target');
  });

  it('fails where the folder is gone', async () => {
    await using workspace = tempWorkspace();
    await expect(filesOf(workspace).sweep('gone/f', 'call_1')).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
  });
});

function tree(root: string): string[] {
  return (readdirSync(root, { recursive: true }) as string[]).sort();
}
