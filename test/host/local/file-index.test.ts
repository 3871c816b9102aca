/** The index of a tree against what git says about it, through random changes of every kind. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { array, assert, asyncProperty, constant, constantFrom, oneof, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FileIndex } from '../../../src/host/local/file-index.ts';
import { pinRoot } from '../../../src/host/local/root.ts';
import { scaled } from '../../support/scale.ts';
import { tempWorkspace } from '../../support/temp-workspace.ts';
import { gitFiles } from './fixtures/git-files.ts';

function fill(root: string): void {
  for (const folder of ['a/b', 'empty/inner/innermost', 'build/deep', 'c/only-ignored', 'node_modules/m'])
    mkdirSync(join(root, folder), { recursive: true });
  for (let file = 0; file < 100; file++) writeFileSync(join(root, `a/b/file-${file}`), '');
  writeFileSync(join(root, '.gitignore'), 'build/\n*.log\nnode_modules\n');
  writeFileSync(join(root, 'c/only-ignored/x.log'), '');
  writeFileSync(join(root, 'node_modules/m/index.js'), '');
}

/** Looks at a workspace, and again after each change; what it found each time, beside the truth. */
async function looking(changes: readonly ((root: string) => void)[]): Promise<[string[], string[]][]> {
  await using workspace = tempWorkspace();
  const { root, locations } = workspace;
  fill(root);
  using pinned = pinRoot(root, locations.home);
  const index = new FileIndex(pinned);
  const look = async (): Promise<[string[], string[]]> => {
    const { files } = await index.look({ path: '.', skip: [], signal: new AbortController().signal });
    return [files.sort(), await gitFiles(root)];
  };
  const looks = [await look()];
  for (const change of changes) {
    change(root);
    looks.push(await look());
  }
  return looks;
}

describe('FileIndex', () => {
  const CHANGES: Readonly<Record<string, (root: string) => void>> = {
    'a file that comes': (root) => writeFileSync(join(root, 'a/new.txt'), ''),
    'a file in an empty directory deep below': (root) =>
      writeFileSync(join(root, 'empty/inner/innermost/x'), ''),
    'a file beside ignored ones': (root) => writeFileSync(join(root, 'c/only-ignored/kept.txt'), ''),
    'a file that goes': (root) => rmSync(join(root, 'a/b/file-7')),
    'a directory with another name': (root) => renameSync(join(root, 'a/b'), join(root, 'a/z')),
    'another ignore file': (root) => writeFileSync(join(root, 'a/b/.gitignore'), 'file-1\n'),
    'an ignore file that says something else': (root) => writeFileSync(join(root, '.gitignore'), '*.log\n'),
    'an ignore file that goes': (root) => rmSync(join(root, '.gitignore')),
  };

  it.each(Object.entries(CHANGES))('notices %s', async (_, change) => {
    for (const [found, truth] of await looking([change])) expect(found).toEqual(truth);
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
      record({ kind: constant('ignore' as const), place, name: constantFrom('x\n', 'inner/\n', '!*.log\n') }),
      record({ kind: constant('move' as const), place, name: constantFrom('moved', 'moved-too') }),
    ).map(({ kind, place, name }) => (root: string): void => {
      try {
        if (kind !== 'move') mkdirSync(join(root, place), { recursive: true });
        if (kind === 'write') writeFileSync(join(root, place, name), '');
        if (kind === 'remove') rmSync(join(root, place, name), { force: true });
        if (kind === 'ignore') writeFileSync(join(root, place, '.gitignore'), name);
        if (kind === 'move') renameSync(join(root, place), join(root, name));
      } catch {
        // Nothing to move, or something in its way.
      }
    });
    await assert(
      asyncProperty(array(change, { minLength: 1, maxLength: 8 }), async (changes) => {
        for (const [found, truth] of await looking(changes)) expect(found).toEqual(truth);
      }),
      { numRuns: scaled(30) },
    );
  }, 60_000);

  it('leaves out names that are to be skipped, and what lies too deep', async () => {
    await using workspace = tempWorkspace({ 'a/b/c': '', 'a/x': '', 'x/y': '', z: '' });
    using pinned = pinRoot(workspace.root, workspace.locations.home);
    const index = new FileIndex(pinned);
    const scope = { path: '.', skip: ['x'], signal: new AbortController().signal };
    expect((await index.look(scope)).files.sort()).toEqual(['a/b/c', 'z']);
    expect((await index.look({ ...scope, skip: [], maxDepth: 2 })).files.sort()).toEqual(['a/x', 'x/y', 'z']);
    expect((await index.look({ ...scope, path: 'a', skip: [] })).files.sort()).toEqual(['a/b/c', 'a/x']);
  });
});
