/** What undo can not keep is known beforehand, and in the mode reversible it is asked about. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { localHost } from '../../src/host/local/host.ts';
import { canKeep } from '../../src/journal/kept-contents.ts';
import { approver } from '../support/approver.ts';
import { tempWorkspace } from '../support/temp-workspace.ts';
import { treeOf } from './fixtures/tree.ts';
import { argumentsOf, type Change } from './fixtures/work.ts';

const KEPT_BYTES = 64 * 1024 * 1024;

describe('canKeep', () => {
  it('is true for files up to a size, links, directories of such, and nothing at all', async () => {
    await using workspace = tempWorkspace({ five: '12345', 'd/five': '12345', 'd/e/six': '123456' });
    const { root, outside, locations } = workspace;
    symlinkSync(outside, join(root, 'd/link'));
    mkdirSync(join(root, 'empty'));
    execFileSync('mkfifo', [join(root, 'pipe')]);
    const { files } = localHost(root, locations.home).host;
    const limits = { maxFileBytes: 5, quotaBytes: 9 };
    const paths = [
      'five',
      'd/five',
      'd/link',
      'empty',
      'gone',
      'gone/too',
      'five/in',
      'd/e/six',
      'd',
      'pipe',
    ];
    const kept: string[] = [];
    for (const path of paths) if (await canKeep(files, path, limits)) kept.push(path);
    expect(kept).toEqual(['five', 'd/five', 'd/link', 'empty', 'gone', 'gone/too', 'five/in']);
  });

  it('is false for a tree that is more than everything that is kept, and for names that are no UTF-8', async () => {
    await using workspace = tempWorkspace({ 'd/one': '12345', 'd/two': '12345', 'e/one': '12345' });
    const { root, locations } = workspace;
    const { files } = localHost(root, locations.home).host;
    expect(await canKeep(files, 'd', { maxFileBytes: 5, quotaBytes: 10 })).toBe(true);
    expect(await canKeep(files, 'd', { maxFileBytes: 5, quotaBytes: 9 })).toBe(false);
    execFileSync('sh', ['-c', `touch "$0/e/$(printf 'x\\377')"`, root]);
    expect(await canKeep(files, 'e', { maxFileBytes: 5, quotaBytes: 10 })).toBe(false);
  });
});

describe('the mode reversible', () => {
  const changes: readonly Change[] = [
    ['write', 'large.bin', 'small now\n'],
    ['delete', 'large.bin'],
    ['delete', 'd'],
    ['move', 'd', 'e'],
  ];
  const cases = changes.map((change) => ({ change, what: change.slice(0, 2).join(' of ') }));
  it.each(cases)('asks before a $what, which could not be taken back', async ({ change }) => {
    await using workspace = tempWorkspace({ 'large.bin': '', 'd/large.bin': '', 'd/small': 'small' });
    for (const path of ['large.bin', 'd/large.bin']) truncateSync(join(workspace.root, path), KEPT_BYTES + 1);
    const before = treeOf(workspace.root);
    const approve = approver('deny');
    const runtime = await workspace.runtime({ mode: 'reversible', approve });
    const { outcome } = await runtime.call(change[0], argumentsOf(change));
    expect([outcome, approve.asked.map(({ rule }) => rule)]).toEqual(['denied', ['mode:reversible']]);
    expect(treeOf(workspace.root)).toEqual(before);
  });

  it('asks nothing about what it could take back, or what is not there', async () => {
    await using workspace = tempWorkspace({ 'large.bin': '', 'd/small': 'small' });
    truncateSync(join(workspace.root, 'large.bin'), KEPT_BYTES);
    const approve = approver('deny');
    const runtime = await workspace.runtime({ mode: 'reversible', approve });
    const outcomes: string[] = [];
    for (const change of [...changes, ['delete', 'gone'] as const])
      outcomes.push((await runtime.call(change[0], argumentsOf(change))).outcome);
    expect(outcomes).toEqual(['ok', 'ok', 'ok', 'failed', 'failed']);
    expect(approve.asked).toEqual([]);
  });

  it('asks about a tree that is more than the settings keep', async () => {
    await using workspace = tempWorkspace({ 'd/a.bin': '', 'd/b.bin': '' });
    const { root, locations } = workspace;
    for (const name of ['a', 'b']) truncateSync(join(root, `d/${name}.bin`), 600_000);
    mkdirSync(locations.config);
    writeFileSync(join(locations.config, 'config.jsonc'), '{"undo":{"quotaMegabytes":1}}');
    const approve = approver('deny');
    const runtime = await workspace.runtime({ mode: 'reversible', approve, readConfig: true });
    expect((await runtime.call('delete', { path: 'd' })).outcome).toBe('denied');
    expect((await runtime.call('delete', { path: 'd/a.bin' })).outcome).toBe('ok');
    expect(approve.asked).toHaveLength(1);
  });
});
