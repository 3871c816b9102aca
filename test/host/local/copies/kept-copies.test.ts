/** What is kept of workspaces, for how long, and what is not believed of it. */
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type TempWorkspace, tempWorkspace } from '../../../support/temp-workspace.ts';
import { contentOf, copiesIn, kinds, runHere } from './fixtures/copies-in.ts';

function folders({ locations }: TempWorkspace): string[] {
  return readdirSync(join(locations.state, 'copies'));
}

function contents({ locations }: TempWorkspace): string[] {
  const [folder] = readdirSync(join(locations.state, 'copies'));
  const place = join(locations.state, 'copies', folder!, 'contents');
  return readdirSync(place, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.includes('/'))
    .map((name) => join(place, name));
}

describe('a copy', () => {
  it('that somebody changed or took away counts as none', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a\n' });
    const copied = await copiesIn(workspace).prepare('test');
    writeFileSync(contents(workspace)[0]!, 'b\n');
    runHere(workspace, 'rm a.txt');
    await using changes = await copied.changes();
    expect(kinds(changes)).toEqual({ 'a.txt': 'other → missing' });
    expect(changes.gaps).toEqual(['The copy of "a.txt" is gone, or not what it was any more.']);
  });

  it('that changes after the changes were told is not given out', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a\n' });
    const copied = await copiesIn(workspace).prepare('test');
    runHere(workspace, 'rm a.txt');
    await using changes = await copied.changes();
    expect((await contentOf(changes.openBefore('a.txt'))).toString()).toBe('a\n');
    writeFileSync(contents(workspace)[0]!, 'b\n');
    await expect(changes.openBefore('a.txt')).rejects.toMatchObject({ code: 'E_IO' });
  });

  it('is private, whatever the file was', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a\n', 'large.txt': 'x'.repeat(2_000_000) });
    runHere(workspace, 'chmod 666 *');
    (await copiesIn(workspace).prepare('test')).forget();
    const modes = runHere(workspace, `find ${workspace.locations.state}/copies -printf '%y %m\\n' | sort -u`);
    expect(modes).toBe('d 700\nf 600\n');
  });

  it('of what a file was goes once such copies take too much room, unless a run needs it', async () => {
    await using workspace = tempWorkspace({ 'a.txt': '0' });
    const copies = copiesIn(workspace, { totalBytes: 40_000 });
    const running = await copies.prepare('test');
    for (let round = 1; round <= 12; round++) {
      workspace.write('a.txt', String(round));
      (await copies.prepare('test')).forget();
      expect(contents(workspace).length).toBeLessThanOrEqual(5);
    }
    await using changes = await running.changes();
    expect((await contentOf(changes.openBefore('a.txt'))).toString()).toBe('0');
  });

  it('that a killed process had begun, or that no tree needs, goes with the next command after a kill', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    const copies = copiesIn(workspace);
    (await copies.prepare('test')).forget();
    const [name] = folders(workspace);
    const folder = join(workspace.locations.state, 'copies', name!);
    runHere(workspace, 'rm b.txt');
    (await copies.prepare('test')).forget();
    expect(contents(workspace)).toHaveLength(2);
    const lock = readdirSync(folder).find((entry) => entry.startsWith('lock-'));
    writeFileSync(join(folder, lock!), '1:a process that:is no:more');
    writeFileSync(join(folder, 'unfinished', 'half'), 'half');
    (await copies.prepare('test')).forget();
    expect([contents(workspace).length, readdirSync(join(folder, 'unfinished'))]).toEqual([1, []]);
  });
});

describe('what was kept for a run', () => {
  it('and is damaged is no reason to keep anything', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a\n' });
    const copies = copiesIn(workspace);
    (await copies.prepare('test')).leave();
    const [folder] = folders(workspace);
    const trees = join(workspace.locations.state, 'copies', folder!, 'trees');
    for (const name of readdirSync(trees)) writeFileSync(join(trees, name), '{"entries":[');
    const other = copiesIn(workspace);
    const [left] = other.left.list();
    await expect(other.left.reopen(left!.id)).rejects.toMatchObject({ code: 'E_IO' });
    expect(other.left.list()).toEqual([]);
    const copied = await other.prepare('test');
    runHere(workspace, 'rm a.txt');
    await using changes = await copied.changes();
    expect((await contentOf(changes.openBefore('a.txt'))).toString()).toBe('a\n');
  });
});

describe('copies of other workspaces', () => {
  it('go where they were not used for long, or are too many; not where a command runs', async () => {
    await using workspace = tempWorkspace({
      'a.txt': 'a\n',
      'one/a.txt': 'a',
      'two/a.txt': 'a',
      'three/a.txt': 'a',
    });
    const inside = (name: string): TempWorkspace => ({ ...workspace, root: join(workspace.root, name) });
    const running = await copiesIn(inside('one')).prepare('test');
    for (const name of ['two', 'three']) (await copiesIn(inside(name)).prepare('test')).forget();
    expect(folders(workspace)).toHaveLength(3);
    (await copiesIn(workspace, { workspaces: 2 }).prepare('test')).forget();
    // Its own, the one where a command runs, and the one that was used last.
    expect(folders(workspace)).toHaveLength(3);
    running.forget();
    const old = new Date(Date.now() - 86_400_000);
    for (const name of folders(workspace))
      utimesSync(join(workspace.locations.state, 'copies', name), old, old);
    mkdirSync(join(workspace.root, 'four'));
    (await copiesIn(inside('four'), { unusedMs: 3_600_000 }).prepare('test')).forget();
    expect(folders(workspace)).toHaveLength(1);
  });
});
