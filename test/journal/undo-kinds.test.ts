/** Entries that came back as another kind of thing: files, directories and links in each other's place. */
import { chmodSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempWorkspace } from '../support/temp-workspace.ts';
import { treeOf } from './fixtures/tree.ts';
import { actionsOf, type Change, work } from './fixtures/work.ts';

const swaps: readonly [what: string, changes: readonly Change[]][] = [
  [
    'a file was made where a directory was',
    [
      ['delete', 'd'],
      ['write', 'd', 'a file now\n'],
    ],
  ],
  [
    'a file was made where a link was',
    [
      ['delete', 'link'],
      ['write', 'link', 'a file now\n'],
    ],
  ],
  [
    'a directory was made where a file was',
    [
      ['delete', 'f'],
      ['write', 'f/in/it.txt', 'made\n'],
    ],
  ],
  [
    'a link was put where a directory was',
    [
      ['move', 'd', 'e'],
      ['move', 'link', 'd'],
    ],
  ],
  [
    'a directory was put where a link was',
    [
      ['delete', 'link'],
      ['move', 'd', 'link'],
    ],
  ],
  [
    'a link was put where another link was',
    [
      ['delete', 'link'],
      ['move', 'other', 'link'],
    ],
  ],
  [
    'three entries changed their names',
    [
      ['move', 'd', 'between'],
      ['move', 'link', 'd'],
      ['move', 'f', 'link'],
      ['move', 'between', 'f'],
    ],
  ],
];

describe('undo', () => {
  it.each(swaps)('gives back what was there when %s, and forth and back again', async (_, changes) => {
    await using workspace = tempWorkspace({ 'd/x.txt': 'x\n', 'd/y/z.txt': 'z\n', f: 'f\n' });
    const { root } = workspace;
    symlinkSync('d/x.txt', join(root, 'link'));
    symlinkSync('f', join(root, 'other'));
    chmodSync(join(root, 'd/y'), 0o700);
    const before = treeOf(root);
    const runtime = await workspace.runtime({ mode: 'auto' });
    await work(runtime, 'turn-1', changes);
    const after = treeOf(root);
    let { turn } = await runtime.undo();
    expect(treeOf(root)).toEqual(before);
    for (const tree of [after, before, after]) {
      ({ turn } = await runtime.undo({ turn: turn! }));
      expect(treeOf(root)).toEqual(tree);
    }
  });

  it('leaves a directory that holds other entries where a file was, and what was moved from there', async () => {
    await using workspace = tempWorkspace({ f: 'f\n' });
    const runtime = await workspace.runtime({ mode: 'auto' });
    await work(runtime, 'turn-1', [
      ['move', 'f', 'moved'],
      ['write', 'f/made', 'made\n'],
    ]);
    workspace.write('f/mine', 'by hand\n');
    const dry = actionsOf(await runtime.undo({ last: 1 }, { dryRun: true }));
    expect(dry).toEqual({
      f: 'conflict: it holds 1 other entry now',
      'f/made': 'remove',
      moved: 'conflict: what belongs to it is not put back',
    });
    expect(actionsOf(await runtime.undo())).toEqual(dry);
    expect(Object.keys(treeOf(workspace.root))).toEqual(['f', 'f/mine', 'moved']);
  });

  it('leaves a directory that holds what a turn did not make, and says so before', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime({ mode: 'auto' });
    await work(runtime, 'turn-1', [['write', 'd/e/a', '1']]);
    workspace.write('d/mine', 'by hand');
    const dry = actionsOf(await runtime.undo({ last: 1 }, { dryRun: true }));
    expect(dry).toEqual({ d: 'conflict: it holds 1 other entry now', 'd/e': 'remove', 'd/e/a': 'remove' });
    expect(actionsOf(await runtime.undo())).toEqual(dry);
    expect(Object.keys(treeOf(workspace.root))).toEqual(['d', 'd/mine']);
  });

  it('leaves out what belongs into a directory where a hand put something else, and says so before', async () => {
    await using workspace = tempWorkspace({ 'a/b': 'b', z: 'z' });
    const runtime = await workspace.runtime({ mode: 'auto' });
    await work(runtime, 'turn-1', [
      ['delete', 'a'],
      ['delete', 'z'],
    ]);
    workspace.write('a', 'by hand');
    const dry = actionsOf(await runtime.undo({ last: 1 }, { dryRun: true }));
    expect(dry).toEqual({
      a: 'conflict: it was changed since',
      'a/b': 'conflict: something else stands where its directory was',
      z: 'restore',
    });
    expect(actionsOf(await runtime.undo())).toEqual(dry);
  });

  it('does not take a moved file from its new place while a hand holds the old one', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a\n' });
    const runtime = await workspace.runtime({ mode: 'auto' });
    await work(runtime, 'turn-1', [['move', 'a.txt', 'b.txt']]);
    workspace.write('a.txt', 'by hand\n');
    const before = treeOf(workspace.root);
    await runtime.undo();
    expect(treeOf(workspace.root)).toEqual(before);
  });

  it('leaves alone a file whose mode a hand changed', async () => {
    await using workspace = tempWorkspace({ f: '0' });
    const runtime = await workspace.runtime({ mode: 'auto' });
    await work(runtime, 'turn-1', [['write', 'f', '1']]);
    chmodSync(join(workspace.root, 'f'), 0o600);
    expect(actionsOf(await runtime.undo())).toEqual({ f: 'conflict: it was changed since' });
  });
});
