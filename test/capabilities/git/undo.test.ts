/** What git tools change is taken back by undo like everything else. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Runtime } from '../../../src/index.ts';
import { treeOf } from '../../journal/fixtures/tree.ts';
import { approver } from '../../support/approver.ts';
import { tempRepository } from '../../support/repository.ts';

const CHANGES: readonly (readonly [tool: string, args: object])[] = [
  ['git_add', { paths: ['b.txt'] }],
  ['git_commit', { message: 'second', paths: ['.'] }],
  ['git_branch', { action: 'create', name: 'deep/side' }],
  ['git_branch', { action: 'rename', name: 'main', to: 'trunk' }],
  ['git_branch', { action: 'delete', name: 'other' }],
  ['git_branch', { action: 'switch', name: 'other' }],
  ['git_stash', { action: 'push', untracked: true }],
  ['git_restore', { paths: ['a.txt'] }],
];

async function call(runtime: Runtime, tool: string, args: object): Promise<void> {
  const { outcome, result } = await runtime.call(tool, args);
  expect({ tool, args, outcome, error: result.error }).toEqual({ tool, args, outcome: 'ok', error: null });
}

describe.each(CHANGES)('%s %j', (tool, args) => {
  it('is taken back whole', async () => {
    await using repository = tempRepository({ 'a.txt': 'a\n' });
    repository.git('branch', 'other');
    repository.git('config', 'branch.main.remote', 'origin');
    repository.git('config', 'branch.other.remote', 'origin');
    repository.write('a.txt', 'changed\n');
    repository.write('b.txt', 'new\n');
    const runtime = await repository.runtime({ dialect: 'handrail', approve: approver('once') });
    const before = { tree: treeOf(repository.root), refs: repository.git('for-each-ref') };
    await call(runtime, tool, args);
    expect(treeOf(repository.root)).not.toEqual(before.tree);
    expect((await runtime.undo()).takenBack).toHaveLength(1);
    const after = { tree: treeOf(repository.root), refs: repository.git('for-each-ref') };
    expect(after).toEqual(before);
    expect(repository.git('fsck', '--no-dangling')).toBe('');
  });
});

describe('the mode reversible', () => {
  it('lets a commit pass without a question, and a branch that is protected pass from no command', async () => {
    await using repository = tempRepository({ 'a.txt': 'a\n' });
    repository.git('switch', '-qc', 'mine');
    const approve = approver('deny');
    const rules = [{ action: 'deny', permission: 'git.write', git: 'branch:main' } as const];
    const runtime = await repository.runtime({ dialect: 'handrail', mode: 'reversible', approve, rules });
    repository.write('a.txt', 'b\n');
    await call(runtime, 'git_commit', { message: 'second', paths: ['a.txt'] });
    const main = repository.git('rev-parse', 'main');
    for (const command of ['git switch main && git commit --allow-empty -m x', 'git branch -f main mine'])
      expect((await runtime.call('bash', { command })).reply).toMatchObject({ code: 'E_POLICY_DENIED' });
    expect([repository.git('rev-parse', 'main'), repository.git('branch', '--show-current')]).toEqual([
      main,
      'mine\n',
    ]);
    // Refs that are only packed lead where they led.
    await call(runtime, 'bash', { command: 'git pack-refs --all && git commit -q --allow-empty -m y' });
    expect(readFileSync(join(repository.root, '.git/packed-refs'), 'utf8')).toContain('refs/heads/main');
    expect(approve.asked).toEqual([]);
  });
});
