/** Whatever was changed before a question, and by whomever, is in its answer. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { WatchedFolders } from '../../../../src/host/local/code-index/watched-folders.ts';
import { type TempWorkspace, tempWorkspace } from '../../../support/temp-workspace.ts';
import { type Indexing, indexing } from './fixtures/indexing.ts';

const FILES = { 'a.ts': 'const ledger = 1;\n', 'd/e/b.ts': 'const ledger = 2;\n', 'd/c.ts': 'other\n' };

async function settled(): Promise<{ workspace: TempWorkspace; index: Indexing } & AsyncDisposable> {
  const workspace = tempWorkspace(FILES);
  const index = indexing(workspace);
  expect((await index.files('ledger')).sort()).toEqual(['a.ts', 'd/e/b.ts']);
  return {
    workspace,
    index,
    async [Symbol.asyncDispose]() {
      await index[Symbol.asyncDispose]();
      await workspace[Symbol.asyncDispose]();
    },
  };
}

const CHANGES: readonly [what: string, change: (root: string) => void, found: readonly string[]][] = [
  [
    'a file that was made',
    (root) => writeFileSync(join(root, 'd/n.ts'), 'ledger\n'),
    ['a.ts', 'd/e/b.ts', 'd/n.ts'],
  ],
  [
    'a folder that was made',
    (root) => {
      mkdirSync(join(root, 'n/m'), { recursive: true });
      writeFileSync(join(root, 'n/m/n.ts'), 'ledger\n');
    },
    ['a.ts', 'd/e/b.ts', 'n/m/n.ts'],
  ],
  [
    'a file that grew',
    (root) => appendFileSync(join(root, 'd/c.ts'), 'ledger\n'),
    ['a.ts', 'd/c.ts', 'd/e/b.ts'],
  ],
  [
    'a file with another text',
    (root) => writeFileSync(join(root, 'a.ts'), 'const nothing = 1;\n'),
    ['d/e/b.ts'],
  ],
  [
    'a file with another text of the same length',
    (root) => writeFileSync(join(root, 'a.ts'), 'const nobody = 1;\n'),
    ['d/e/b.ts'],
  ],
  ['a file that is gone', (root) => rmSync(join(root, 'a.ts')), ['d/e/b.ts']],
  ['a folder that is gone', (root) => rmSync(join(root, 'd'), { recursive: true }), ['a.ts']],
  [
    'a file by another name',
    (root) => renameSync(join(root, 'a.ts'), join(root, 'd/z.ts')),
    ['d/e/b.ts', 'd/z.ts'],
  ],
  ['a folder by another name', (root) => renameSync(join(root, 'd'), join(root, 'x')), ['a.ts', 'x/e/b.ts']],
  [
    'a folder that took the place of another',
    (root) => {
      mkdirSync(join(root, 'x'));
      writeFileSync(join(root, 'x/y.ts'), 'ledger\n');
      renameSync(join(root, 'd'), join(root, 'old'));
      renameSync(join(root, 'x'), join(root, 'd'));
    },
    ['a.ts', 'd/y.ts', 'old/e/b.ts'],
  ],
  ['what is ignored since', (root) => writeFileSync(join(root, '.gitignore'), 'd\n'), ['a.ts']],
];

describe('the index of code', () => {
  it.each(CHANGES)('knows of %s', async (_, change, found) => {
    await using ground = await settled();
    change(ground.workspace.root);
    expect((await ground.index.files('ledger')).sort()).toEqual(found);
    // What came of it is followed, too.
    writeFileSync(join(ground.workspace.root, found[0]!), 'ledger twice ledger\n');
    expect((await ground.index.files('twice ledger'))[0]).toBe(found[0]);
  });

  it.each(CHANGES)('knows of %s while nobody watched', async (_, change, found) => {
    await using ground = await settled();
    await ground.index[Symbol.asyncDispose]();
    change(ground.workspace.root);
    await using next = indexing(ground.workspace);
    expect((await next.files('ledger')).sort()).toEqual(found);
  });

  it('knows what is no longer ignored', async () => {
    await using ground = await settled();
    writeFileSync(join(ground.workspace.root, '.gitignore'), 'd\n');
    expect(await ground.index.files('ledger')).toEqual(['a.ts']);
    writeFileSync(join(ground.workspace.root, '.gitignore'), '\n');
    expect((await ground.index.files('ledger')).sort()).toEqual(['a.ts', 'd/e/b.ts']);
  });

  it('knows each of many changes of one file', async () => {
    await using ground = await settled();
    for (let time = 10; time < 40; time++) {
      writeFileSync(join(ground.workspace.root, 'a.ts'), `const turn${time} = 1;\n`);
      expect(await ground.index.files(`turn${time}`)).toEqual(['a.ts']);
    }
  });

  it('follows a change of the branch', async () => {
    await using workspace = tempWorkspace({ 'a.ts': 'const ledger = 1;\n' });
    const git = (...args: string[]): void => {
      const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.org', '-c', 'commit.gpgsign=false'];
      execFileSync('git', [...identity, ...args], { cwd: workspace.root, stdio: 'ignore' });
    };
    git('init', '-b', 'main');
    git('add', '.');
    git('commit', '-m', 'one');
    git('checkout', '-b', 'other');
    workspace.write('a.ts', 'const nothing = 1;\n');
    workspace.write('d/b.ts', 'const ledger = 2;\n');
    git('add', '.');
    git('commit', '-m', 'two');
    await using index = indexing(workspace);
    expect(await index.files('ledger')).toEqual(['d/b.ts']);
    git('checkout', 'main');
    expect(await index.files('ledger')).toEqual(['a.ts']);
    git('checkout', 'other');
    expect(await index.files('ledger')).toEqual(['d/b.ts']);
  });
});

describe('WatchedFolders', () => {
  it('takes every folder for changed until all was looked at', async () => {
    await using workspace = tempWorkspace(FILES);
    using watched = new WatchedFolders(workspace.root);
    expect(watched.follow(['.', 'd'])).toEqual(['.', 'd']);
    expect(await watched.changed()).toBe('all');
    watched.trust();
    expect(await watched.changed()).toEqual(new Set());
    workspace.write('d/c.ts', 'new\n');
    expect(await watched.changed()).toEqual(new Set(['d']));
    expect(await watched.changed()).toEqual(new Set());
  });

  it('takes every folder for changed where there are more than can be watched', async () => {
    await using workspace = tempWorkspace(FILES);
    using watched = new WatchedFolders(workspace.root, 2);
    watched.follow(['.', 'd', 'd/e']);
    watched.trust();
    expect(await watched.changed()).toBe('all');
  });

  it('is told of changes, too', async () => {
    await using workspace = tempWorkspace(FILES);
    using watched = new WatchedFolders(workspace.root);
    watched.follow(['.']);
    watched.trust();
    watched.mark('d/e/b.ts');
    expect(await watched.changed()).toEqual(new Set(['d/e']));
  });
});
