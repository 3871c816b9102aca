/** What a process that was killed in the middle of a command left behind. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { type TempWorkspace, tempWorkspace } from '../../../support/temp-workspace.ts';
import { whyNotAsNobody } from '../fixtures/use-files-in-a-child.ts';
import { contentOf, copiesIn, kinds, runHere } from './fixtures/copies-in.ts';

const PROGRAM = fileURLToPath(new URL('fixtures/prepare-and-wait.ts', import.meta.url));
const WORKING = fileURLToPath(new URL('fixtures/work-with-copies.ts', import.meta.url));
const NOBODY = 65_534;
const run = promisify(execFile);

/** Says which gaps there were. */
async function prepareAndDie(
  workspace: TempWorkspace,
  label: string,
  line: string,
  prefix: string[] = [],
): Promise<string> {
  const { root, locations } = workspace;
  const command = [...prefix, process.execPath, PROGRAM, root, locations.home, locations.state, label, line];
  const child = spawn(command[0]!, command.slice(1), { stdio: ['pipe', 'pipe', 'inherit'], cwd: '/' });
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  child.kill('SIGKILL');
  await once(child, 'exit');
  return said.toString().trim();
}

describe('left', () => {
  it('shows a run whose process was killed, and its changes so far', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    await prepareAndDie(workspace, 'the label', 'echo x > a.txt; rm b.txt');
    const copies = copiesIn(workspace);
    const [left] = copies.left.list();
    expect(copies.left.list()).toEqual([{ id: left!.id, label: 'the label', isApplied: true }]);
    {
      await using changes = await copies.left.reopen(left!.id);
      expect(kinds(changes)).toEqual({ 'a.txt': 'file → file', 'b.txt': 'file → missing' });
      expect((await contentOf(changes.openBefore('b.txt'))).toString()).toBe('b\n');
      expect(changes.notes).toEqual(['What was changed since by others is among these changes.']);
      expect(copies.left.list()).toEqual([]);
      await expect(copiesIn(workspace).left.reopen(left!.id)).rejects.toMatchObject({ code: 'E_CONFLICT' });
    }
    await expect(copies.left.reopen(left!.id)).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
  });

  it('shows no run of a process that lives, and one that its process gave up', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a\n' });
    const copies = copiesIn(workspace);
    const copied = await copies.prepare('given up');
    expect(copies.left.list()).toEqual([]);
    runHere(workspace, 'rm a.txt');
    copied.leave();
    const [left] = copiesIn(workspace).left.list();
    expect(left).toMatchObject({ label: 'given up' });
    await using changes = await copies.left.reopen(left!.id);
    expect(kinds(changes)).toEqual({ 'a.txt': 'file → missing' });
  });

  it('keeps what a run needs while others go on, and forgets it when it is dropped', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'first\n' });
    await prepareAndDie(workspace, 'killed', 'echo second > a.txt');
    const copies = copiesIn(workspace);
    for (const round of [1, 2, 3]) {
      workspace.write('a.txt', `round ${round}\n`);
      (await copies.prepare('other')).forget();
    }
    const [left] = copies.left.list();
    const before = await copies.left.reopen(left!.id);
    expect((await contentOf(before.openBefore('a.txt'))).toString()).toBe('first\n');
    await copies.left.drop(left!.id);
    (await copies.prepare('other')).forget();
    const [folder] = readdirSync(join(workspace.locations.state, 'copies'));
    expect(readdirSync(join(workspace.locations.state, 'copies', folder!, 'trees'))).toHaveLength(1);
  });

  it('knows no other ids, wherever they lead', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a\n' });
    const copies = copiesIn(workspace);
    (await copies.prepare('test')).forget();
    const outside = join(workspace.outside, 'x.json');
    writeFileSync(outside, '{}');
    for (const id of ['', 'copies_0', '../../../../out/x', `copies_/../../../../out/x`]) {
      await expect(copies.left.reopen(id)).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
      await copies.left.drop(id);
    }
    rmSync(outside);
  });

  it('is the same for a user who is not root, for whom some files are closed', async ({ skip }) => {
    const whyNot = whyNotAsNobody();
    skip(whyNot !== undefined, whyNot);
    await using workspace = tempWorkspace({ 'a.txt': 'a\n', 'closed.txt': 'c\n', 'closed/d.txt': 'd\n' });
    const base = dirname(workspace.root);
    chmodSync(base, 0o777);
    for (const place of [workspace.root, join(workspace.root, 'a.txt')]) chownSync(place, NOBODY, NOBODY);
    chmodSync(join(workspace.root, 'closed.txt'), 0o600);
    chmodSync(join(workspace.root, 'closed'), 0o700);
    const prefix = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];
    const gaps = await prepareAndDie(workspace, 'label', 'echo x > a.txt; rm -f closed.txt', prefix);
    expect(JSON.parse(gaps)).toEqual([
      '"closed" was not looked into: the operating system answered EACCES.',
      '"closed.txt" was not copied: it may not be read.',
    ]);
    const copies = copiesIn(workspace);
    await using changes = await copies.left.reopen(copies.left.list()[0]!.id);
    expect(kinds(changes)).toEqual({ 'a.txt': 'file → file', 'closed.txt': 'other → missing' });
    expect(changes.gaps).toEqual([
      'What happened in "closed" is not known: the operating system answered EACCES.',
    ]);
  });
});

describe('copies of several processes at once', () => {
  it('are right for each of them', async () => {
    await using workspace = tempWorkspace(
      Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`d${at % 20}/${at}`, `${at}`])),
    );
    const { root, locations } = workspace;
    const args = [WORKING, root, locations.home, locations.state];
    const said = await Promise.all(
      ['one', 'two', 'three'].map((name) => run(process.execPath, [...args, name, '12'])),
    );
    expect(said.map(({ stdout }) => stdout)).toEqual(['[]', '[]', '[]']);
    expect(copiesIn(workspace).left.list()).toEqual([]);
  });
});
