/** `patch.apply` in a workspace: every kind of change, all of them or none, and the way back. */
import { chmodSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unifiedDiff } from '../../../src/capabilities/fs/unified-diff.ts';
import type { CallResponse, Runtime } from '../../../src/index.ts';
import { treeOf } from '../../journal/fixtures/tree.ts';
import { approver } from '../../support/approver.ts';
import { type TempWorkspace, tempWorkspace } from '../../support/temp-workspace.ts';

function start(workspace: TempWorkspace): Promise<Runtime> {
  return workspace.runtime({ dialect: 'coder', approve: approver('once') });
}

/** Ten changes of every kind; the seventh can be told to fail. */
function tenFiles(seventh: string): string {
  const updates = [1, 2, 3].map((n) => `--- a/u${n}.txt\n+++ b/u${n}.txt\n@@ -1 +1 @@\n-${n}\n+new ${n}\n`);
  return [
    ...updates,
    '--- /dev/null\n+++ b/made/in/here.txt\n@@ -0,0 +1 @@\n+made\n',
    'diff --git a/r.txt b/moved/r.txt\nrename from r.txt\nrename to moved/r.txt\n--- a/r.txt\n+++ b/moved/r.txt\n@@ -1 +1 @@\n-r\n+renamed\n',
    'diff --git a/x.sh b/x.sh\nold mode 100644\nnew mode 100755\n',
    seventh,
    '--- a/g.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-g\n',
    'diff --git a/empty b/empty\ndeleted file mode 100644\n',
    'diff --git a/made/run b/made/run\nnew file mode 100755\n--- /dev/null\n+++ b/made/run\n@@ -0,0 +1 @@\n+#!/bin/sh\n',
  ].join('');
}

const FILES = {
  'u1.txt': '1\n',
  'u2.txt': '2\n',
  'u3.txt': '3\n',
  'r.txt': 'r\n',
  'x.sh': 'x\n',
  'g.txt': 'g\n',
  empty: '',
};
const FINE = '--- /dev/null\n+++ b/seven.txt\n@@ -0,0 +1 @@\n+7\n';

describe('patch.apply', () => {
  it('makes every kind of change, and undo gives the tree back', async () => {
    await using workspace = tempWorkspace(FILES);
    chmodSync(join(workspace.root, 'u1.txt'), 0o600);
    chmodSync(join(workspace.root, 'r.txt'), 0o640);
    const before = treeOf(workspace.root);
    const runtime = await start(workspace);
    expect(await runtime.call('patch', { patch: tenFiles(FINE) })).toMatchObject({ outcome: 'ok' });
    expect(treeOf(workspace.root)).toEqual({
      made: 'directory 755',
      'made/in': 'directory 755',
      'made/in/here.txt': 'file 644 made\n',
      'made/run': 'file 755 #!/bin/sh\n',
      moved: 'directory 755',
      'moved/r.txt': 'file 640 renamed\n',
      'seven.txt': 'file 644 7\n',
      'u1.txt': 'file 600 new 1\n',
      'u2.txt': 'file 644 new 2\n',
      'u3.txt': 'file 644 new 3\n',
      'x.sh': 'file 755 x\n',
    });
    await runtime.undo();
    expect(treeOf(workspace.root)).toEqual(before);
  });

  it.each([
    ['that does not fit', '--- a/u9.txt\n+++ b/u9.txt\n@@ -1 +1 @@\n-9\n+new\n', 'E_NOT_FOUND'],
    ['whose text is another', '--- a/seven.txt\n+++ b/seven.txt\n@@ -1 +1 @@\n-8\n+new\n', 'E_PATCH'],
    ['that is there already', '--- /dev/null\n+++ b/seven.txt\n@@ -0,0 +1 @@\n+8\n', 'E_PATCH'],
    ['that can not be written', '--- /dev/null\n+++ b/deep/con.txt\n@@ -0,0 +1 @@\n+8\n', 'E_INVALID_PATH'],
    ['below a file', '--- /dev/null\n+++ b/seven.txt/below\n@@ -0,0 +1 @@\n+8\n', 'E_NOT_DIR'],
  ])('changes nothing where one of ten files is one %s', async (_, seventh, code) => {
    await using workspace = tempWorkspace({ ...FILES, 'seven.txt': '7\n' });
    const before = treeOf(workspace.root);
    const runtime = await start(workspace);
    const { result, effects } = await runtime.call('patch', { patch: tenFiles(seventh) });
    expect({ code: result.error?.code, effects, artifacts: result.artifacts }).toEqual({
      code,
      effects: [],
      artifacts: undefined,
    });
    expect(treeOf(workspace.root)).toEqual(before);
    expect(await runtime.turns()).toEqual([]);
  });

  it('changes nothing in a dry run, and needs no approval for it', async () => {
    await using workspace = tempWorkspace(FILES);
    const before = treeOf(workspace.root);
    const approve = approver('deny');
    const runtime = await workspace.runtime({ dialect: 'coder', approve });
    const { reply } = await runtime.call('patch', { patch: tenFiles(FINE), dry_run: true });
    expect(reply).toMatchObject({
      ok: true,
      applied: false,
      files: expect.arrayContaining(['moved/r.txt', 'empty']),
    });
    expect([treeOf(workspace.root), approve.asked]).toEqual([before, []]);
    expect(
      await runtime.call('patch', { patch: tenFiles(FINE).replace('-2', '-9'), dry_run: true }),
    ).toMatchObject({
      outcome: 'failed',
    });
  });

  it('shows all of what it will do, in a form that can be read back', async () => {
    await using workspace = tempWorkspace(FILES);
    const approve = approver('once');
    const runtime = await workspace.runtime({ dialect: 'coder', approve });
    await runtime.call('patch', { patch: tenFiles(FINE) });
    const after = treeOf(workspace.root);
    await runtime.undo();
    const shown = approve.asked[0]!.preview!.text;
    expect(await runtime.call('patch', { patch: shown })).toMatchObject({ outcome: 'ok' });
    expect(treeOf(workspace.root)).toEqual(after);
  });

  it('deletes no line that the patch does not show', async () => {
    await using workspace = tempWorkspace({ 'a.txt': '1\n2\n', 'b.txt': '1\n' });
    const runtime = await start(workspace);
    const patches = [
      '--- a/a.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n',
      'diff --git a/b.txt b/b.txt\ndeleted file mode 100644\n',
    ];
    for (const patch of patches)
      expect(await runtime.call('patch', { patch })).toMatchObject({ outcome: 'failed' });
    expect(Object.keys(treeOf(workspace.root))).toEqual(['a.txt', 'b.txt']);
    await runtime.call('patch', { patch: '*** Begin Patch\n*** Delete File: a.txt\n*** End Patch' });
    expect(Object.keys(treeOf(workspace.root))).toEqual(['b.txt']);
  });

  it('makes a file whose header does not say that it is new', async () => {
    await using workspace = tempWorkspace();
    const runtime = await start(workspace);
    const { reply } = await runtime.call('patch', {
      patch: '--- a/n.txt\n+++ b/n.txt\n@@ -0,0 +1,2 @@\n+a\n+b\n',
    });
    expect(reply).toMatchObject({ ok: true, results: [{ path: 'n.txt', operation: 'create' }] });
    expect(treeOf(workspace.root)).toEqual({ 'n.txt': 'file 644 a\nb\n' });
  });

  it('neither deletes nor renames through a link', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a\n' });
    symlinkSync('a.txt', join(workspace.root, 'link'));
    const before = treeOf(workspace.root);
    const runtime = await start(workspace);
    const patches = [
      '--- a/link\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n',
      'diff --git a/link b/x\nrename from link\nrename to x\n',
    ];
    for (const patch of patches)
      expect((await runtime.call('patch', { patch })).result.error?.code).toBe('E_UNSUPPORTED');
    expect(treeOf(workspace.root)).toEqual(before);
  });

  it('refuses two names of the same file', async () => {
    await using workspace = tempWorkspace({ 'd/a.txt': 'a\nb\n' });
    symlinkSync('d', join(workspace.root, 'link'));
    const before = treeOf(workspace.root);
    const runtime = await start(workspace);
    const patch =
      '--- a/d/a.txt\n+++ b/d/a.txt\n@@ -1 +1 @@\n-a\n+x\n--- a/link/a.txt\n+++ b/link/a.txt\n@@ -2 +2 @@\n-b\n+y\n';
    expect((await runtime.call('patch', { patch })).result.error?.code).toBe('E_CONFLICT');
    expect(treeOf(workspace.root)).toEqual(before);
  });

  it('makes of any file any other, and undo of that the first one', async () => {
    await using workspace = tempWorkspace();
    const runtime = await start(workspace);
    const text = fc
      .array(fc.constantFrom('a\n', 'b\n', '\n', 'c\r\n', '\ufeffa\n', '  d \n'), { maxLength: 12 })
      .map((lines) => lines.join(''));
    const content = fc.option(
      fc.tuple(text, fc.constantFrom('', '', 'end')).map((parts) => parts.join('')),
      { nil: undefined },
    );
    await fc.assert(
      fc.asyncProperty(content, content, async (before, after) => {
        fc.pre(before !== after && before !== '' && after !== '');
        if (before !== undefined) workspace.write('d/f', before);
        const first = treeOf(workspace.root);
        const applied: CallResponse = await runtime.call('patch', {
          patch: unifiedDiff('d/f', before, after).diff,
        });
        expect(applied.result.error).toBeNull();
        expect(treeOf(workspace.root)['d/f']).toBe(
          after === undefined ? undefined : `file 644 ${Buffer.from(after).toString('latin1')}`,
        );
        await runtime.undo();
        expect(treeOf(workspace.root)).toEqual(first);
        if (before !== undefined)
          await runtime.call('patch', { patch: '*** Begin Patch\n*** Delete File: d/f\n*** End Patch' });
      }),
      { numRuns: 60 },
    );
  });
});
