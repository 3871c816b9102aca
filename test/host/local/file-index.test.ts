/** The index of a tree against what ripgrep says about it, through random changes of every kind. */
import { execFile } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { rgPath } from '@vscode/ripgrep';
import { array, assert, asyncProperty, constant, constantFrom, oneof, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FileIndex, type Tree } from '../../../src/host/local/file-index.ts';
import { tempWorkspace } from '../../support/temp-workspace.ts';

const run = promisify(execFile);

/** More files than are listed faster than they are looked at, in a few directories; some of them are ignored. */
function manyFiles(root: string): void {
  for (const folder of ['a', 'a/b', 'c']) mkdirSync(join(root, folder), { recursive: true });
  for (let file = 0; file < 2_100; file++) writeFileSync(join(root, `a/b/file-${file}`), '');
  for (const folder of ['empty/inner/innermost', 'build/deep', 'c/only-ignored'])
    mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, '.gitignore'), 'build/\n*.log\n');
  writeFileSync(join(root, 'c/only-ignored/x.log'), '');
}

function treeAt(root: string): Tree {
  return {
    root,
    key: 'all',
    skip: ['node_modules'],
    rules: [],
    async list() {
      const args = [
        '--files',
        '--hidden',
        '--no-require-git',
        '--no-ignore-dot',
        '--no-ignore-exclude',
        '--glob=!.git',
        '--glob=!node_modules',
        './',
      ];
      const { stdout } = await run(rgPath, args, { cwd: root, maxBuffer: 1 << 26 });
      return stdout
        .split('\n')
        .filter((name) => name !== '')
        .map((name) => name.slice(2));
    },
  };
}

async function learnt(tree: Tree): Promise<FileIndex> {
  const index = new FileIndex();
  await index.learn(tree, await tree.list());
  return index;
}

describe('FileIndex', () => {
  it('knows a tree that stays as it is', async () => {
    await using workspace = tempWorkspace();
    manyFiles(workspace.root);
    const tree = treeAt(workspace.root);
    const index = await learnt(tree);
    expect(index.lookUp(tree)).toEqual((await tree.list()).sort());
  });

  it('does not care for what happens where everything is ignored', async () => {
    await using workspace = tempWorkspace();
    manyFiles(workspace.root);
    const tree = treeAt(workspace.root);
    const index = await learnt(tree);
    writeFileSync(join(workspace.root, 'build/deep/new.txt'), '');
    expect(index.lookUp(tree)).toBeDefined();
  });

  const CHANGES: Readonly<Record<string, (root: string) => void>> = {
    'a file that comes': (root) => writeFileSync(join(root, 'a/new.txt'), ''),
    'a file in an empty directory deep below': (root) =>
      writeFileSync(join(root, 'empty/inner/innermost/x'), ''),
    'a file beside ignored ones': (root) => writeFileSync(join(root, 'c/only-ignored/kept.txt'), ''),
    'a file that goes': (root) => rmSync(join(root, 'a/b/file-7')),
    'a directory with another name': (root) => renameSync(join(root, 'a/b'), join(root, 'a/z')),
    'another ignore file': (root) => writeFileSync(join(root, 'a/b/.gitignore'), 'file-1\n'),
    'an ignore file that says something else': (root) => writeFileSync(join(root, '.gitignore'), '*.log\n'),
  };

  it.each(Object.entries(CHANGES))('notices %s', async (_, change) => {
    await using workspace = tempWorkspace();
    manyFiles(workspace.root);
    const tree = treeAt(workspace.root);
    const index = await learnt(tree);
    change(workspace.root);
    expect(index.lookUp(tree)).toBeUndefined();
    await index.learn(tree, await tree.list());
    expect(index.lookUp(tree)).toEqual((await tree.list()).sort());
  });

  it('is never wrong, whatever happens', async () => {
    const place = constantFrom(
      'a',
      'a/b',
      'c',
      'empty',
      'empty/inner',
      'build',
      'c/only-ignored',
      'later/one',
    );
    const change = oneof(
      record({ kind: constant('write' as const), place, name: constantFrom('x', 'y.log', 'z') }),
      record({ kind: constant('remove' as const), place, name: constantFrom('x', 'y.log', 'z') }),
      record({
        kind: constant('ignore' as const),
        place,
        name: constantFrom('x\n', 'inner/\n', '!*.log\n'),
      }),
      record({ kind: constant('move' as const), place, name: constantFrom('moved', 'moved-too') }),
    );
    await assert(
      asyncProperty(array(change, { minLength: 1, maxLength: 8 }), async (changes) => {
        await using workspace = tempWorkspace();
        const { root } = workspace;
        manyFiles(root);
        const tree = treeAt(root);
        const index = await learnt(tree);
        for (const { kind, place, name } of changes) {
          try {
            if (kind !== 'move') mkdirSync(join(root, place), { recursive: true });
            if (kind === 'write') writeFileSync(join(root, place, name), '');
            if (kind === 'remove') rmSync(join(root, place, name), { force: true });
            if (kind === 'ignore') writeFileSync(join(root, place, '.gitignore'), name);
            if (kind === 'move') renameSync(join(root, place), join(root, name));
          } catch {
            // Nothing to move, or something in its way.
          }
          const truth = (await tree.list()).sort();
          expect(index.lookUp(tree) ?? truth).toEqual(truth);
        }
      }),
      { numRuns: 20 },
    );
  });
});
