import { chmodSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Runtime } from '../../src/index.ts';
import { tempWorkspace, type TempWorkspace } from '../support/temp-workspace.ts';

const TURN = { turn: 'turn-1' };

interface Work extends AsyncDisposable {
  readonly workspace: TempWorkspace;
  readonly runtime: Runtime;
  write(path: string, content: string, turn?: string): Promise<void>;
}

async function work(files: Readonly<Record<string, string>> = {}): Promise<Work> {
  const workspace = tempWorkspace(files);
  const runtime = await workspace.runtime({ approve: async () => ({ answer: 'once' }) });
  return {
    workspace,
    runtime,
    async write(path, content, turn = 'turn-1') {
      expect(await runtime.call('write', { path, content }, { turn })).toMatchObject({ outcome: 'ok' });
    },
    [Symbol.asyncDispose]: () => workspace[Symbol.asyncDispose](),
  };
}

describe('runtime.entryDiff', () => {
  it('compares what was before a turn with what it left, over all of its changes', async () => {
    await using done = await work({ 'a.txt': 'one\n' });
    await done.write('a.txt', 'two\n');
    await done.write('a.txt', 'three\n');
    const diff = '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+three\n';
    expect(await done.runtime.entryDiff('turn-1', 'a.txt')).toEqual({ diff });
    expect(await done.runtime.turns()).toMatchObject([{ id: 'turn-1', entries: 1 }]);
    // What it left is kept by the next turn, and by an undo.
    await done.write('a.txt', 'four\n', 'turn-2');
    expect(await done.runtime.entryDiff('turn-1', 'a.txt')).toEqual({ diff });
    await done.runtime.undo({ last: 2 });
    expect(await done.runtime.entryDiff('turn-1', 'a.txt')).toEqual({ diff });
  });

  it('compares with what is there now where somebody else changed it since, and says so', async () => {
    await using done = await work({ 'a.txt': 'one\n' });
    await done.write('a.txt', 'two\n');
    done.workspace.write('a.txt', 'mine\n');
    expect(await done.runtime.entryDiff('turn-1', 'a.txt')).toEqual({
      diff: '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+mine\n',
      note: 'It was changed since: this compares it with what it holds now.',
    });
    rmSync(join(done.workspace.root, 'a.txt'));
    symlinkSync(join(done.workspace.outside, 's.txt'), join(done.workspace.root, 'a.txt'));
    expect(await done.runtime.entryDiff('turn-1', 'a.txt')).toEqual({
      diff: '',
      note: 'It was changed since, and what this turn made of it was not kept.',
    });
  });

  it('shows what was created and what was deleted whole', async () => {
    await using done = await work({ 'a.txt': 'one\n' });
    await done.write('folder/b.txt', 'new\n');
    await done.runtime.call('delete', { path: 'a.txt' }, TURN);
    expect(await done.runtime.entryDiff('turn-1', 'folder/b.txt')).toEqual({
      diff: '--- /dev/null\n+++ b/folder/b.txt\n@@ -0,0 +1 @@\n+new\n',
    });
    expect(await done.runtime.entryDiff('turn-1', 'a.txt')).toEqual({
      diff: '--- a/a.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n',
    });
    expect(await done.runtime.entryDiff('turn-1', 'folder')).toEqual({ diff: '' });
  });

  it('masks tokens, as questions do', async () => {
    const token = `ghp_${'a1'.repeat(18)}`;
    await using done = await work({ '.env': `TOKEN=${token}\nNAME=x\n` });
    await done.write('.env', `TOKEN=${token}\nNAME=y\n`);
    expect((await done.runtime.entryDiff('turn-1', '.env'))?.diff).toContain(
      ' TOKEN=[redacted]\n-NAME=x\n+NAME=y\n',
    );
  });

  it('says of binary and of large content what it is', async () => {
    await using done = await work({ binary: '\0\0', large: 'x'.repeat(3_000_000) });
    for (const path of ['binary', 'large']) await done.runtime.call('delete', { path }, TURN);
    expect(await done.runtime.entryDiff('turn-1', 'binary')).toEqual({ diff: '', note: 'It is not text.' });
    expect(await done.runtime.entryDiff('turn-1', 'large')).toEqual({
      diff: '',
      note: 'It is too large to be shown here.',
    });
  });

  it.each([
    ['many lines', 'line\n'.repeat(10_000), 5_000],
    ['long lines', `${'x'.repeat(150_000)}\n`.repeat(4), 5],
  ])('shows the first of %s in whole lines, and says how many there are', async (_what, content, shown) => {
    await using done = await work({ 'a.txt': content });
    await done.runtime.call('delete', { path: 'a.txt' }, TURN);
    const { diff, note } = (await done.runtime.entryDiff('turn-1', 'a.txt'))!;
    const all = content.split('\n').length + 2;
    expect({ lines: diff.split('\n').length - 1, note }).toEqual({
      lines: shown,
      note: `These are the first ${shown} of ${all} lines.`,
    });
  });

  it('knows only the turns of its workspace', async () => {
    await using done = await work({ 'a.txt': 'one\n' });
    await done.write('a.txt', 'two\n');
    mkdirSync(join(done.workspace.outside, 'ws'));
    const other = await done.workspace.runtime({ workspace: join(done.workspace.outside, 'ws') });
    expect(await other.entryDiff('turn-1', 'a.txt')).toBeUndefined();
    expect(await other.turnEntries('turn-1')).toEqual([]);
    expect(await done.runtime.entryDiff('turn-1', 'b.txt')).toBeUndefined();
  });
});

describe('runtime.turnEntries', () => {
  it('tells what was moved, with its directory', async () => {
    await using done = await work({ 'old/a.txt': 'one\n', 'old/b.txt': 'two\n' });
    await done.runtime.call('move', { from: 'old', to: 'new' }, TURN);
    expect(await done.runtime.turnEntries('turn-1')).toEqual([
      { path: 'old', before: 'directory', after: 'missing' },
      { path: 'new', before: 'missing', after: 'directory' },
      { path: 'new/a.txt', before: 'missing', after: 'file', movedFrom: 'old/a.txt' },
      { path: 'new/b.txt', before: 'missing', after: 'file', movedFrom: 'old/b.txt' },
    ]);
  });

  it('tells other permissions', async () => {
    await using done = await work({ 'run.sh': 'one\n' });
    chmodSync(join(done.workspace.root, 'run.sh'), 0o4755);
    await done.write('run.sh', 'two\n');
    expect(await done.runtime.turnEntries('turn-1')).toEqual([
      { path: 'run.sh', before: 'file', after: 'file', modes: { before: 0o4755, after: 0o755 } },
    ]);
  });
});
