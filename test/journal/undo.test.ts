/** What undo gives back, and what it leaves alone. */
import { hash } from 'node:crypto';
import { chmodSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempWorkspace } from '../support/temp-workspace.ts';
import { entryOf, treeOf, without, writeOneOfEach } from './fixtures/tree.ts';
import { actionsOf, type Change, work } from './fixtures/work.ts';

describe('undo', () => {
  it('gives back what several turns made, replaced, deleted and moved, and leaves alone what a hand changed', async () => {
    await using workspace = tempWorkspace({
      'kept.txt': 'kept\n',
      'notes.txt': 'notes\n',
      'tool.sh': '#!/bin/sh\n',
      'docs/one.md': '1\n',
      'docs/two.md': '2\n',
      'src/a.ts': 'a\n',
      'src/deep/b.ts': 'b\n',
    });
    const { root } = workspace;
    chmodSync(join(root, 'tool.sh'), 0o755);
    chmodSync(join(root, 'docs'), 0o750);
    chmodSync(join(root, 'src/a.ts'), 0o600);
    const before = treeOf(root);
    const runtime = await workspace.runtime({ mode: 'auto' });
    await work(runtime, 'turn-1', [
      ['write', 'made.txt', 'made\n'],
      ['write', 'made/on/the/way.txt', 'made\n'],
      ['write', 'tool.sh', 'replaced\n'],
    ]);
    await work(runtime, 'turn-2', [
      ['delete', 'docs'],
      ['move', 'src', 'lib/src'],
      ['write', 'lib/src/a.ts', 'replaced\n'],
    ]);
    await work(runtime, 'turn-3', [
      ['move', 'tool.sh', 'bin/tool.sh'],
      ['write', 'notes.txt', 'replaced\n'],
      ['delete', 'kept.txt'],
    ]);
    workspace.write('notes.txt', 'by hand\n');

    const report = await runtime.undo({ last: 3 });
    expect({ turns: report.turns, actions: actionsOf(report) }).toEqual({
      turns: ['turn-3', 'turn-2', 'turn-1'],
      actions: {
        'made.txt': 'remove',
        made: 'remove',
        'made/on': 'remove',
        'made/on/the': 'remove',
        'made/on/the/way.txt': 'remove',
        docs: 'restore',
        'docs/one.md': 'restore',
        'docs/two.md': 'restore',
        src: 'restore',
        'src/a.ts': 'restore',
        'src/deep': 'restore',
        'src/deep/b.ts': 'restore',
        lib: 'remove',
        'lib/src': 'remove',
        'lib/src/a.ts': 'remove',
        'lib/src/deep': 'remove',
        'lib/src/deep/b.ts': 'remove',
        'tool.sh': 'restore',
        bin: 'remove',
        'bin/tool.sh': 'remove',
        'kept.txt': 'restore',
        'notes.txt': 'conflict: it was changed since',
      },
    });
    expect(without(treeOf(root), 'notes.txt')).toEqual(without(before, 'notes.txt'));
    expect(entryOf(join(root, 'notes.txt'))).toBe(before['notes.txt']!.replace('notes\n', 'by hand\n'));
  });

  const waysToLose: readonly Change[] = [
    ['delete', 'all'],
    ['move', 'all', 'elsewhere/all'],
  ];
  it.each(waysToLose.map((change) => ({ change, tool: change[0] })))(
    'gives back links, empty directories, strange names, bytes and modes after a $tool',
    async ({ change }) => {
      await using workspace = tempWorkspace({ 'other.txt': 'other\n' });
      writeOneOfEach(workspace, 'all');
      const before = treeOf(workspace.root);
      const runtime = await workspace.runtime({ mode: 'auto' });
      await work(runtime, 'turn-1', [change]);
      const after = treeOf(workspace.root);
      expect(after).not.toHaveProperty('all');

      const { turn } = await runtime.undo();
      expect(treeOf(workspace.root)).toEqual(before);
      await runtime.undo({ turn: turn! });
      expect(treeOf(workspace.root)).toEqual(after);
    },
  );

  it('gives a replaced file its mode back together with its content', async () => {
    await using workspace = tempWorkspace({ 'run.sh': 'one\n', 'set-id': 'one\n' });
    chmodSync(join(workspace.root, 'run.sh'), 0o750);
    chmodSync(join(workspace.root, 'set-id'), 0o4755);
    const before = treeOf(workspace.root);
    const runtime = await workspace.runtime({ mode: 'auto' });
    await work(runtime, 'turn-1', [
      ['delete', 'run.sh'],
      ['write', 'run.sh', 'two\n'],
      ['write', 'set-id', 'two\n'],
    ]);
    expect(treeOf(workspace.root)).not.toEqual(before);
    await runtime.undo();
    expect(treeOf(workspace.root)).toEqual(before);
  });

  it('takes directories away that a write made, unless something else is in them now', async () => {
    await using workspace = tempWorkspace({ 'there/before.txt': 'x\n' });
    const runtime = await workspace.runtime({ mode: 'auto' });
    await work(runtime, 'turn-1', [
      ['write', 'a/b/made.txt', 'x\n'],
      ['write', 'c/d/made.txt', 'x\n'],
      ['write', 'there/made.txt', 'x\n'],
    ]);
    workspace.write('c/by-hand.txt', 'mine\n');
    expect(actionsOf(await runtime.undo())).toEqual({
      a: 'remove',
      'a/b': 'remove',
      'a/b/made.txt': 'remove',
      c: expect.stringMatching(/^conflict: it holds 1 other/),
      'c/d': 'remove',
      'c/d/made.txt': 'remove',
      'there/made.txt': 'remove',
    });
    expect(Object.keys(treeOf(workspace.root))).toEqual(['c', 'c/by-hand.txt', 'there', 'there/before.txt']);
  });

  it.each(['d', 'link'])('gives back %s where a file was made in its place', async (path) => {
    await using workspace = tempWorkspace({ 'd/x.txt': 'x\n', 'd/y/z.txt': 'z\n' });
    symlinkSync('d/x.txt', join(workspace.root, 'link'));
    const before = treeOf(workspace.root);
    const runtime = await workspace.runtime({ mode: 'auto' });
    await work(runtime, 'turn-1', [
      ['delete', path],
      ['write', path, 'a file now\n'],
    ]);
    expect(treeOf(workspace.root)[path]).toContain('a file now');
    await runtime.undo();
    expect(treeOf(workspace.root)).toEqual(before);
  });

  it('gives back the file that a write reached through a link, and leaves the link', async () => {
    await using workspace = tempWorkspace({ 'real/file.txt': 'one\n' });
    symlinkSync('real/file.txt', join(workspace.root, 'link'));
    const before = treeOf(workspace.root);
    const runtime = await workspace.runtime({ mode: 'auto' });
    await work(runtime, 'turn-1', [['write', 'link', 'two\n']]);
    expect(actionsOf(await runtime.undo())).toEqual({ 'real/file.txt': 'restore' });
    expect(treeOf(workspace.root)).toEqual(before);
  });

  it('says what it kept as it was, and what is gone or another thing now', async () => {
    const files = ['put-back.txt', 'gone.txt', 'directory.txt', 'link.txt', 'mode.txt'];
    await using workspace = tempWorkspace(Object.fromEntries(files.map((name) => [name, 'one\n'])));
    const { root } = workspace;
    const runtime = await workspace.runtime({ mode: 'auto' });
    await work(
      runtime,
      'turn-1',
      files.map((name): Change => ['write', name, 'two\n']),
    );
    await work(runtime, 'turn-1', [['move', 'mode.txt', 'moved.txt']]);
    workspace.write('put-back.txt', 'one\n');
    for (const name of ['gone.txt', 'directory.txt', 'link.txt']) rmSync(join(root, name));
    mkdirSync(join(root, 'directory.txt'));
    symlinkSync('put-back.txt', join(root, 'link.txt'));
    chmodSync(join(root, 'moved.txt'), 0o700);
    const byHand = treeOf(root);

    expect(actionsOf(await runtime.undo())).toEqual({
      'put-back.txt': 'keep',
      'gone.txt': 'conflict: it is gone now',
      'directory.txt': 'conflict: it was changed since',
      'link.txt': 'conflict: it was changed since',
      'mode.txt': 'restore',
      'moved.txt': 'conflict: it was changed since',
    });
    expect(without(treeOf(root), 'mode.txt')).toEqual(byHand);
    expect(entryOf(join(root, 'mode.txt'))).toBe(byHand['put-back.txt']);
  });

  it('says that an entry is lost whose kept content is gone, and gives back the rest', async () => {
    await using workspace = tempWorkspace({ a: 'content of a', b: 'content of b' });
    const runtime = await workspace.runtime({ mode: 'auto' });
    await work(runtime, 'turn-1', [
      ['write', 'a', '1'],
      ['delete', 'b'],
    ]);
    const name = hash('sha256', 'content of b');
    rmSync(join(workspace.locations.state, 'objects', name.slice(0, 2), name));
    expect(actionsOf(await runtime.undo())).toEqual({ a: 'restore', b: 'lost: its content was not kept' });
    expect(Object.values(treeOf(workspace.root))).toEqual([expect.stringContaining('content of a')]);
  });

  it('never reaches outside through a link that a hand put on the way', async () => {
    await using workspace = tempWorkspace({ 'd/s.txt': 'one\n' });
    const { root, outside } = workspace;
    const before = treeOf(outside);
    const runtime = await workspace.runtime({ mode: 'auto' });
    await work(runtime, 'turn-1', [['write', 'd/s.txt', 'outside secret\n']]);
    rmSync(join(root, 'd'), { recursive: true });
    symlinkSync(outside, join(root, 'd'));
    expect(actionsOf(await runtime.undo())).toEqual({ 'd/s.txt': 'conflict: it is gone now' });
    expect(treeOf(outside)).toEqual(before);
  });
});
