/** Several changes as one: whatever stops them midway, the tree is as it was, and nothing is on record. */
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Runtime } from '../../src/index.ts';
import { BALLAST, smallDisk, whyNoSmallDisk } from '../journal/fixtures/small-disk.ts';
import { treeOf, without } from '../journal/fixtures/tree.ts';
import { approver } from '../support/approver.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';

const whyNot = whyNoSmallDisk();

function start(workspace: TempWorkspace): Promise<Runtime> {
  return workspace.runtime({ dialect: 'coder', approve: approver('once') });
}

const replacing = (path: string, old: string, now: string): string =>
  `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-${old}\n+${now}\n`;
const making = (path: string, text: string): string =>
  `--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+${text}\n`;
const removing = (path: string, text: string): string =>
  `--- a/${path}\n+++ /dev/null\n@@ -1 +0,0 @@\n-${text}\n`;
const renaming = (from: string, to: string): string =>
  `diff --git a/${from} b/${to}\nrename from ${from}\nrename to ${to}\n`;

describe('changeAll', () => {
  it('takes back what it did when the disk is full', async ({ skip }) => {
    skip(whyNot !== undefined, whyNot);
    await using workspace = tempWorkspace();
    using disk = smallDisk(workspace.root);
    workspace.write('a.txt', 'a\n');
    workspace.write('b.txt', 'b\n');
    workspace.write('old.txt', 'old\n');
    chmodSync(join(workspace.root, 'a.txt'), 0o604);
    const runtime = await start(workspace);
    disk.fill(200_000);
    const before = without(treeOf(workspace.root), BALLAST);
    const patch = [
      replacing('a.txt', 'a', 'x'.repeat(80_000)),
      renaming('old.txt', 'd/moved.txt'),
      making('d/e/new.txt', 'y'.repeat(50_000)),
      replacing('b.txt', 'b', 'z'.repeat(500_000)),
    ].join('');
    const { result, effects } = await runtime.call('patch', { patch });
    expect({ error: result.error, effects }).toMatchObject({
      error: { code: 'E_IO', message: 'The disk is full; "b.txt" was not written.' },
      effects: [],
    });
    expect(without(treeOf(workspace.root), BALLAST)).toEqual(before);
    expect(await runtime.turns()).toEqual([]);
  });

  it('gives back a mode and a removed file when a later step fails', async () => {
    await using workspace = tempWorkspace({ 'run.sh': 'x\n', 'gone.txt': 'g\n', 'locked.txt': 'l\n' });
    chmodSync(join(workspace.root, 'gone.txt'), 0o640);
    chmodSync(join(workspace.root, 'locked.txt'), 0o444);
    const before = treeOf(workspace.root);
    const runtime = await start(workspace);
    const patch = [
      'diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n',
      removing('gone.txt', 'g'),
      making('made/new.txt', 'n'),
      replacing('locked.txt', 'l', 'm'),
    ].join('');
    const { result, effects } = await runtime.call('patch', { patch });
    expect({ error: result.error, effects }).toMatchObject({
      error: { message: '"locked.txt" is marked read-only.' },
      effects: [],
    });
    expect(treeOf(workspace.root)).toEqual(before);
  });

  it('changes nothing after an abort', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a\n' });
    const aborting = new AbortController();
    const runtime = await workspace.runtime({
      dialect: 'coder',
      approve: async () => {
        aborting.abort();
        return { answer: 'once' };
      },
    });
    const { outcome } = await runtime.call(
      'patch',
      { patch: replacing('a.txt', 'a', 'b') },
      { signal: aborting.signal },
    );
    expect([outcome, treeOf(workspace.root)]).toEqual(['cancelled', { 'a.txt': 'file 644 a\n' }]);
  });

  it('is made from what is there, not from what was shown', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    const runtime = await workspace.runtime({
      dialect: 'coder',
      approve: async () => {
        writeFileSync(join(workspace.root, 'b.txt'), 'somebody else\n');
        return { answer: 'once' };
      },
    });
    const patch = replacing('a.txt', 'a', 'x') + replacing('b.txt', 'b', 'y');
    expect((await runtime.call('patch', { patch })).result.error?.code).toBe('E_PATCH');
    expect(treeOf(workspace.root)).toEqual({ 'a.txt': 'file 644 a\n', 'b.txt': 'file 644 somebody else\n' });
  });

  it('leaves alone a directory it made where somebody else put something into it', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a\n' });
    const runtime = await start(workspace);
    mkdirSync(join(workspace.root, 'd'));
    await runtime.call('patch', { patch: making('d/e/new.txt', 'n') });
    workspace.write('d/e/other.txt', 'o\n');
    await runtime.undo();
    expect(existsSync(join(workspace.root, 'd/e/other.txt'))).toBe(true);
    expect(existsSync(join(workspace.root, 'd/e/new.txt'))).toBe(false);
  });
});
