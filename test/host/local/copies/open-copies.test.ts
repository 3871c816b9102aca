/** What commands that run on the workspace itself are found to have changed, and what is kept of it before. */
import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempWorkspace } from '../../../support/temp-workspace.ts';
import { changesBy, contentOf, copiesIn, kinds, runHere } from './fixtures/copies-in.ts';

const sha256 = (text: string): string => hash('sha256', text);

describe('changes', () => {
  it('are all that a command made, replaced, moved and removed, parents first', async () => {
    await using workspace = tempWorkspace({
      'a.txt': 'a\n',
      'kept.txt': 'kept\n',
      'run.sh': 'run\n',
      'old/deep/b.txt': 'b\n',
      'file-to-folder': 'f\n',
      '.gitignore': 'ignored/\n',
      'ignored/c.txt': 'c\n',
    });
    symlinkSync('a.txt', join(workspace.root, 'link'));
    chmodSync(join(workspace.root, 'run.sh'), 0o644);
    const copies = copiesIn(workspace);
    await using changes = await changesBy(
      copies,
      workspace,
      `echo more >> a.txt; touch kept.txt; chmod 755 run.sh; mv old new; echo C > ignored/c.txt
       ln -sfn kept.txt link; rm file-to-folder; mkdir -p file-to-folder/x; : > file-to-folder/x/made`,
    );
    const file = (text: string, mode = 0o644) => ({ kind: 'file', hash: sha256(text), mode });
    const folder = { kind: 'directory', mode: 0o755 };
    const missing = { kind: 'missing' };
    expect(changes).toMatchObject({ isApplied: true, gaps: [], notes: [] });
    expect(changes.entries).toEqual([
      { path: 'a.txt', before: file('a\n'), after: file('a\nmore\n'), bytesBefore: 2, bytesAfter: 7 },
      { path: 'file-to-folder', before: file('f\n'), after: folder, bytesBefore: 2 },
      { path: 'file-to-folder/x', before: missing, after: folder },
      { path: 'file-to-folder/x/made', before: missing, after: file(''), bytesAfter: 0 },
      { path: 'ignored/c.txt', before: file('c\n'), after: file('C\n'), bytesBefore: 2, bytesAfter: 2 },
      {
        path: 'link',
        before: { kind: 'link', target: 'a.txt' },
        after: { kind: 'link', target: 'kept.txt' },
      },
      { path: 'new', before: missing, after: folder },
      { path: 'new/deep', before: missing, after: folder },
      { path: 'new/deep/b.txt', before: missing, after: file('b\n'), bytesAfter: 2 },
      { path: 'old', before: folder, after: missing },
      { path: 'old/deep', before: folder, after: missing },
      { path: 'old/deep/b.txt', before: file('b\n'), after: missing, bytesBefore: 2 },
      { path: 'run.sh', before: file('run\n'), after: file('run\n', 0o755), bytesBefore: 4, bytesAfter: 4 },
    ]);
    expect((await contentOf(changes.openBefore('old/deep/b.txt'))).toString()).toBe('b\n');
    expect((await contentOf(changes.open('new/deep/b.txt'))).toString()).toBe('b\n');
    await expect(changes.openBefore('new/deep/b.txt')).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
    await changes.takeOver();
  });

  it('are found where size and time of modification were made to look as before', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'one\n' });
    const place = join(workspace.root, 'a.txt');
    utimesSync(place, 1_000, 1_000);
    await using changes = await changesBy(
      copiesIn(workspace),
      workspace,
      "printf 'two\\n' > a.txt; touch -d @1000 a.txt",
    );
    expect(statSync(place).mtimeMs).toBe(1_000_000);
    expect(kinds(changes)).toEqual({ 'a.txt': 'file → file' });
    expect((await contentOf(changes.openBefore('a.txt'))).toString()).toBe('one\n');
  });

  it('are found at once after a copy, where a clock of files could stand still', async () => {
    await using workspace = tempWorkspace();
    const copies = copiesIn(workspace);
    for (let round = 0; round < 20; round++) {
      workspace.write('a.txt', `before ${round}\n`);
      const copied = await copies.prepare('test');
      writeFileSync(join(workspace.root, 'a.txt'), `after! ${round}\n`);
      await using changes = await copied.changes();
      expect((await contentOf(changes.openBefore('a.txt'))).toString()).toBe(`before ${round}\n`);
    }
  });

  it("leave out git's index where git only looked at its files", async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    runHere(workspace, 'git init -q && git add a.txt');
    const copies = copiesIn(workspace);
    {
      await using changes = await changesBy(
        copies,
        workspace,
        'touch -d @1000 a.txt; git update-index --refresh',
      );
      expect(kinds(changes)).toEqual({});
    }
    await using changes = await changesBy(copies, workspace, 'git add b.txt');
    expect(kinds(changes)).toMatchObject({ '.git/index': 'file → file' });
    expect(changes.entries.find(({ path }) => path === '.git/index')).toMatchObject({
      before: { meaning: expect.stringMatching(/^[0-9a-f]{64}$/) },
      after: { meaning: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
  });

  it('are conflicts where somebody changed an entry once more', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' });
    await using changes = await changesBy(
      copiesIn(workspace),
      workspace,
      'echo 1 > a.txt; rm b.txt; mkdir d; rm c.txt',
    );
    expect(await changes.conflicts()).toEqual([]);
    runHere(workspace, 'echo 2 > a.txt; echo 2 > b.txt; : > d/new');
    expect(await changes.conflicts()).toEqual(['a.txt', 'b.txt']);
  });

  it('say where another command ran meanwhile, to both', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a\n' });
    const [first, second] = [await copiesIn(workspace).prepare('1'), await copiesIn(workspace).prepare('2')];
    runHere(workspace, 'echo x > a.txt');
    await using one = await first.changes();
    await using two = await second.changes();
    const said = ['Another command ran in the workspace meanwhile; what it changed is among these changes.'];
    expect([one.notes, two.notes]).toEqual([said, said]);
    await using alone = await changesBy(copiesIn(workspace), workspace, ':');
    expect(alone.notes).toEqual([]);
  });

  it('never look through a link, and never at what Handrail itself has in the workspace', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a\n', '.handrail-call_1-0.tmp': 'being written' });
    symlinkSync(workspace.outside, join(workspace.root, 'out'));
    const state = join(workspace.root, 'state');
    const inside = { ...workspace, locations: { ...workspace.locations, state } };
    await using changes = await changesBy(
      copiesIn(inside),
      workspace,
      'echo x > out/s.txt; echo y > .handrail-call_1-0.tmp',
    );
    expect(kinds(changes)).toEqual({});
    expect(changes.gaps).toEqual([]);
  });
});

describe('prepare', () => {
  it('copies what changed since the last time, and says how far it is', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'aaaa', 'b.txt': 'bb' });
    for (const name of ['a.txt', 'b.txt']) utimesSync(join(workspace.root, name), 1_000, 1_000);
    const copied = async () => {
      const said: unknown[] = [];
      (await copiesIn(workspace).prepare('test', { onProgress: (progress) => said.push(progress) })).forget();
      return said.at(-1);
    };
    expect(await copied()).toEqual({ files: 2, ofFiles: 2, bytes: 6, ofBytes: 6 });
    expect(await copied()).toBe(undefined);
    workspace.write('a.txt', 'ccc');
    expect(await copied()).toEqual({ files: 1, ofFiles: 1, bytes: 3, ofBytes: 3 });
  });

  it('names what it could not keep, and so do the changes of it', async () => {
    await using workspace = tempWorkspace({ 'large.bin': 'x'.repeat(2_000), 'a.txt': 'a\n' });
    execFileSync('mkfifo', [join(workspace.root, 'pipe')]);
    mkdirSync(Buffer.concat([Buffer.from(`${workspace.root}/`), Buffer.from([0xff])]));
    const copied = await copiesIn(workspace, { fileBytes: 1_000 }).prepare('test');
    expect([...copied.gaps].sort()).toEqual([
      '"large.bin" was not copied: it is larger than 0 MiB.',
      '"pipe" is nothing that could be copied.',
      '"\ufffd" was not looked into: its name is not UTF-8.',
    ]);
    runHere(workspace, 'echo y > large.bin; rm pipe; mkfifo other; echo b > a.txt');
    await using changes = await copied.changes();
    expect(kinds(changes)).toEqual({
      'a.txt': 'file → file',
      'large.bin': 'other → file',
      pipe: 'other → missing',
    });
    expect(changes.gaps).toEqual([
      'What happened in "\ufffd" is not known: its name is not UTF-8.',
      '"other" is nothing that undo could remove.',
    ]);
  });

  it('keeps the smallest files where not all have room, and what it has already', async () => {
    await using workspace = tempWorkspace({
      'a.txt': 'a'.repeat(600),
      'b.txt': 'b'.repeat(300),
      'c.txt': 'c'.repeat(200),
    });
    const copies = copiesIn(workspace, { totalBytes: 1_000 });
    const first = await copies.prepare('test');
    first.forget();
    expect(first.gaps).toEqual(['"a.txt" was not copied: there is no room for it.']);
    workspace.write('d.txt', 'd'.repeat(501));
    const second = await copies.prepare('test');
    second.forget();
    expect(second.gaps.map((gap) => gap.split(' ')[0])).toEqual(['"a.txt"', '"d.txt"']);
  });

  it('looks at no more entries than it may, and takes nothing it did not see for removed', async () => {
    await using workspace = tempWorkspace({
      'a/1': '1',
      'a/2': '2',
      'b/1': '1',
      'node_modules/x/1': '1',
      z: 'z',
    });
    const copied = await copiesIn(workspace, { entries: 7 }).prepare('test');
    expect(copied.gaps).toEqual(['"node_modules" was not looked into: there are more than 7 entries.']);
    runHere(workspace, 'rm node_modules/x/1 a/1; : > a/3; : > a/4');
    await using changes = await copied.changes();
    expect(kinds(changes)).toEqual({
      'a/1': 'file → missing',
      'a/3': 'missing → file',
      'a/4': 'missing → file',
    });
    expect(changes.gaps).toEqual([
      'What happened in "node_modules" is not known: there are more than 7 entries.',
      'What happened in "b" is not known: there are more than 7 entries.',
    ]);
  });

  it('gives up a file that changes all the time', async () => {
    await using workspace = tempWorkspace({ 'log.txt': 'x'.repeat(3_000_000), 'a.txt': 'a' });
    let isOver = false;
    const write = (): void => {
      if (isOver) return;
      writeFileSync(join(workspace.root, 'log.txt'), 'y', { flag: 'a' });
      setImmediate(write);
    };
    write();
    const copied = await copiesIn(workspace).prepare('test');
    isOver = true;
    expect(copied.gaps).toEqual(['"log.txt" was not copied: it changed while it was copied.']);
    copied.forget();
  });

  it('keeps large git objects by a second name, which is no copy any more once somebody writes into them', async () => {
    await using workspace = tempWorkspace();
    const [one, other] = ['1', '2'].map((digit) => `.git/objects/pack/pack-${digit.repeat(40)}.pack`) as [
      string,
      string,
    ];
    for (const path of [one, other]) workspace.write(path, path.repeat(100));
    const copies = copiesIn(workspace, { fileBytes: 1_000 });
    const copied = await copies.prepare('test');
    expect(copied.gaps).toEqual([]);
    expect(lstatSync(join(workspace.root, one)).nlink).toBe(2);
    runHere(workspace, `rm ${one}; echo x >> ${other}`);
    await using changes = await copied.changes();
    expect(kinds(changes)).toEqual({ [one]: 'file → missing', [other]: 'other → file' });
    expect((await contentOf(changes.openBefore(one))).toString()).toBe(one.repeat(100));
    expect(changes.gaps).toEqual([
      `The copy of ${JSON.stringify(other)} is gone, or not what it was any more.`,
    ]);
  });

  it('links nothing anew that is as it was', async () => {
    await using workspace = tempWorkspace();
    const path = `.git/objects/pack/pack-${'1'.repeat(40)}.pack`;
    workspace.write(path, path.repeat(100));
    const copies = copiesIn(workspace, { fileBytes: 1_000 });
    (await copies.prepare('test')).forget();
    const { ctimeMs } = statSync(join(workspace.root, path));
    const again = await copies.prepare('test');
    expect([statSync(join(workspace.root, path)).ctimeMs, again.gaps]).toEqual([ctimeMs, []]);
    await using changes = await again.changes();
    expect(kinds(changes)).toEqual({});
  });

  it('starts anew where everything was cleaned away, in this process or another', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a\n' });
    utimesSync(join(workspace.root, 'a.txt'), 1_000, 1_000);
    const copies = copiesIn(workspace);
    (await copies.prepare('test')).forget();
    (await copies.prepare('test')).forget();
    rmSync(join(workspace.locations.state, 'copies'), { recursive: true });
    (await copiesIn(workspace).prepare('test')).forget();
    await using changes = await changesBy(copies, workspace, 'rm a.txt');
    expect((await contentOf(changes.openBefore('a.txt'))).toString()).toBe('a\n');
  });

  it('ends where nobody waits for it any more, and leaves nothing held', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a\n' });
    const copies = copiesIn(workspace);
    const reason = new Error('nobody waits');
    await expect(copies.prepare('test', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    await using changes = await changesBy(copies, workspace, 'rm a.txt');
    expect(kinds(changes)).toEqual({ 'a.txt': 'file → missing' });
  });
});
