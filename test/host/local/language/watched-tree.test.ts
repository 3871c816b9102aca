import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { WatchedTree } from '../../../../src/host/local/language/watched-tree.ts';
import { pinRoot } from '../../../../src/host/local/root.ts';
import { localSearch } from '../../../../src/host/local/search.ts';
import { type TempWorkspace, tempWorkspace } from '../../../support/temp-workspace.ts';

async function watched({ root, locations }: TempWorkspace): Promise<WatchedTree> {
  return WatchedTree.over(root, localSearch(pinRoot(root, locations.home)));
}

async function told(tree: WatchedTree): Promise<string[]> {
  return ((await tree.changes()) ?? []).map(({ path, change }) => `${change} ${path}`).sort();
}

describe('WatchedTree', () => {
  it('tells what was written, made and removed since it was last asked', async () => {
    await using workspace = tempWorkspace({ 'a.ts': 'a', 'src/b.ts': 'b', 'src/deep/c.ts': 'c' });
    using tree = await watched(workspace);
    expect(await told(tree)).toEqual([]);
    const at = (path: string): string => join(workspace.root, path);
    writeFileSync(at('a.ts'), 'other');
    writeFileSync(at('src/deep/d.ts'), 'd');
    rmSync(at('src/deep/c.ts'));
    writeFileSync(at('moved'), 'b, whole');
    renameSync(at('moved'), at('src/b.ts'));
    expect(await told(tree)).toEqual([
      'created src/deep/d.ts',
      'deleted src/deep/c.ts',
      'updated a.ts',
      'updated src/b.ts',
    ]);
    expect(await told(tree)).toEqual([]);
  });

  it('follows folders that come and go', async () => {
    await using workspace = tempWorkspace({ 'src/b.ts': 'b' });
    using tree = await watched(workspace);
    const at = (path: string): string => join(workspace.root, path);
    mkdirSync(at('new/inner'), { recursive: true });
    writeFileSync(at('new/inner/e.ts'), 'e');
    expect(await told(tree)).toEqual(['created new/inner/e.ts']);
    writeFileSync(at('new/inner/e.ts'), 'other');
    expect(await told(tree)).toEqual(['updated new/inner/e.ts']);
    rmSync(at('src'), { recursive: true });
    renameSync(at('new'), at('newer'));
    expect(await told(tree)).toEqual([
      'created newer/inner/e.ts',
      'deleted new/inner/e.ts',
      'deleted src/b.ts',
    ]);
  });

  it('gives up where too much changed, and goes on from there', async () => {
    await using workspace = tempWorkspace({ 'a.ts': 'a' });
    using tree = await watched(workspace);
    for (let count = 0; count < 10_002; count++) writeFileSync(join(workspace.root, `${count}.ts`), '');
    expect(await tree.changes()).toBeUndefined();
    writeFileSync(join(workspace.root, 'a.ts'), 'b');
    expect(await told(tree)).toContain('updated a.ts');
  });
});
