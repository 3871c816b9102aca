/** `patch.edit` in a workspace: what it reads and writes, what it refuses, and the way back. */
import { chmodSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Runtime } from '../../../src/index.ts';
import { treeOf } from '../../journal/fixtures/tree.ts';
import { approver } from '../../support/approver.ts';
import { type TempWorkspace, tempWorkspace } from '../../support/temp-workspace.ts';

function start(workspace: TempWorkspace, options: { mode?: 'reversible' } = {}): Promise<Runtime> {
  return workspace.runtime({ dialect: 'coder', approve: approver('once'), ...options });
}

async function codeOf(runtime: Runtime, args: object): Promise<string | undefined> {
  return (await runtime.call('edit', args)).result.error?.code;
}

describe('patch.edit', () => {
  it('keeps the mode of the file, and gives it back on undo', async () => {
    await using workspace = tempWorkspace({ 'run.sh': 'echo 1\n' });
    chmodSync(join(workspace.root, 'run.sh'), 0o750);
    const before = treeOf(workspace.root);
    const runtime = await start(workspace);
    const { effects } = await runtime.call('edit', { path: 'run.sh', old_string: '1', new_string: '2' });
    expect(effects).toEqual([{ path: 'run.sh', change: 'updated', reversible: true }]);
    expect(treeOf(workspace.root)).toEqual({ 'run.sh': 'file 750 echo 2\n' });
    await runtime.undo();
    expect(treeOf(workspace.root)).toEqual(before);
  });

  it('shows the diff before it is made, and makes nothing that is denied', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'one\n' });
    const approve = approver('deny');
    const runtime = await workspace.runtime({ dialect: 'coder', approve });
    const { outcome } = await runtime.call('edit', { path: 'a.txt', old_string: 'one', new_string: 'two' });
    expect(outcome).toBe('denied');
    expect(approve.asked[0]?.preview).toEqual({
      kind: 'diff',
      text: '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n',
    });
    expect(readFileSync(join(workspace.root, 'a.txt'), 'utf8')).toBe('one\n');
  });

  it('asks nobody about an edit that can not be made', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'one\n' });
    const approve = approver('once');
    const runtime = await workspace.runtime({ dialect: 'coder', approve });
    expect(await codeOf(runtime, { path: 'a.txt', old_string: 'two', new_string: 'x' })).toBe('E_PATCH');
    expect(approve.asked).toEqual([]);
  });

  it('refuses what is no text, what is not there, and what stands for text that was left out', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'one\n', 'd/x': '' });
    workspace.write('binary', Uint8Array.from([111, 0, 110]));
    workspace.write('latin1', Uint8Array.from([0xe4, 0x6f]));
    const runtime = await start(workspace);
    const edit = { old_string: 'o', new_string: 'x' };
    expect(await codeOf(runtime, { path: 'binary', ...edit })).toBe('E_ENCODING');
    expect(await codeOf(runtime, { path: 'latin1', ...edit })).toBe('E_ENCODING');
    expect(await codeOf(runtime, { path: 'gone', ...edit })).toBe('E_NOT_FOUND');
    expect(await codeOf(runtime, { path: 'd', ...edit })).toBe('E_NOT_FILE');
    expect(await codeOf(runtime, { path: 'a.txt', ...edit, new_string: '\ud800' })).toBe('E_ENCODING');
    const lazy = { old_string: 'one', new_string: '// ... existing code ...' };
    expect(await codeOf(runtime, { path: 'a.txt', ...lazy })).toBe('E_INVALID_ARGS');
    const long = { old_string: 'one', new_string: 'x'.repeat(8 * 1024 * 1024 - 100) };
    expect(await codeOf(runtime, { path: 'a.txt', ...long })).toBeUndefined();
  });

  it('goes through a link that stays inside', async () => {
    await using workspace = tempWorkspace({ 'd/a.txt': 'one\n' });
    symlinkSync('d/a.txt', join(workspace.root, 'link'));
    const runtime = await start(workspace);
    expect(await codeOf(runtime, { path: 'link', old_string: 'one', new_string: 'two' })).toBeUndefined();
    expect(treeOf(workspace.root)).toMatchObject({ 'd/a.txt': 'file 644 two\n', link: 'link to d/a.txt' });
  });

  it('loses none of many edits of one file at the same time', async () => {
    const names = Array.from({ length: 32 }, (_, index) => `name${index};`);
    await using workspace = tempWorkspace({ 'a.txt': names.join('\n') });
    const runtime = await start(workspace, { mode: 'reversible' });
    const outcomes = await Promise.all(
      names.map(async (name) => {
        const args = { path: 'a.txt', old_string: name, new_string: `${name} edited` };
        return (await runtime.call('edit', args)).outcome;
      }),
    );
    expect(new Set(outcomes)).toEqual(new Set(['ok']));
    const expected = names.map((name) => `${name} edited`).join('\n');
    expect(readFileSync(join(workspace.root, 'a.txt'), 'utf8')).toBe(expected);
  });

  it('refuses an edit that would no longer do what was shown, and loses none of those it makes', async () => {
    const names = Array.from({ length: 32 }, (_, index) => `name${index};`);
    await using workspace = tempWorkspace({ 'a.txt': names.join('\n') });
    const runtime = await start(workspace);
    const calls = await Promise.all(
      names.map((name) =>
        runtime.call('edit', { path: 'a.txt', old_string: name, new_string: `${name} edited` }),
      ),
    );
    const made = names.filter((_, index) => calls[index]!.outcome === 'ok');
    const refused = calls.filter(({ outcome }) => outcome !== 'ok');
    expect(new Set(refused.map(({ result }) => result.error?.code))).toEqual(new Set(['E_CONFLICT']));
    const now = readFileSync(join(workspace.root, 'a.txt'), 'utf8').split('\n');
    expect(now.filter((line) => line.endsWith(' edited'))).toEqual(made.map((name) => `${name} edited`));
  });
});
