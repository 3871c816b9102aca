/** What is remembered of an entry, and when two memories are the same. */
import { execFileSync } from 'node:child_process';
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sameState } from '../../src/host/entry-state.ts';
import { localHost } from '../../src/host/local/host.ts';
import { capture } from '../../src/journal/entry-state.ts';
import { tempWorkspace } from '../support/temp-workspace.ts';

describe('capture', () => {
  it('sees no change where git only looked at its files again, and one where its index says something else', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    const { root, locations } = workspace;
    const git = (...args: string[]): void => void execFileSync('git', args, { cwd: root });
    git('init', '-q');
    git('add', 'a.txt');
    using host = localHost(root, locations.home).host;
    const look = async () => (await capture(host.files, '.git/index')).state;
    const before = await look();
    utimesSync(join(root, 'a.txt'), 1_000, 1_000);
    git('update-index', '--refresh');
    const refreshed = await look();
    git('add', 'b.txt');
    const added = await look();
    expect(before.kind === 'file' && refreshed.kind === 'file' && before.hash === refreshed.hash).toBe(false);
    expect([sameState(before, refreshed), sameState(refreshed, added)]).toEqual([true, false]);
    const meant = { kind: 'file', hash: 'x', meaning: 'm', mode: 0o644 } as const;
    const others = [
      { ...meant, hash: 'y' },
      { ...meant, hash: 'y', mode: 0o600 },
      { kind: 'file', hash: 'y' },
    ] as const;
    expect(others.map((other) => sameState(meant, other))).toEqual([true, false, false]);
    expect(sameState({ kind: 'file', hash: 'x' }, { kind: 'file', hash: 'y' })).toBe(false);
  });

  it('keeps no content that it only read for its meaning', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a\n' });
    execFileSync('git', ['init', '-q'], { cwd: workspace.root });
    execFileSync('git', ['add', '.'], { cwd: workspace.root });
    using host = localHost(workspace.root, workspace.locations.home).host;
    expect((await capture(host.files, '.git/index', 10)).content).toBe(undefined);
    expect((await capture(host.files, '.git/index', 10_000)).content).toHaveLength(
      (await host.files.stat('.git/index')).size,
    );
  });
});
