/** What somebody else does to the workspace while a command runs in its view, and before its changes are taken over. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandsIn } from '../../../support/commands.ts';
import { tempWorkspace } from '../../../support/temp-workspace.ts';
import { captured, takenOver } from './fixtures/captured.ts';
import { describedTree } from './fixtures/described-tree.ts';

const FILES = { a: 'a\n', b: 'b\n', 'd/1': '1\n', 'd/2': '2\n' };

type Meddle = (root: string) => void;

const MEDDLING: readonly [what: string, line: string, meddle: Meddle, conflicts: readonly string[]][] = [
  ['a file that both change', 'echo >> a', (root) => writeFileSync(join(root, 'a'), 'theirs\n'), ['a']],
  [
    'a file that was only touched by the other',
    'echo >> a',
    (root) => writeFileSync(join(root, 'b'), 'theirs\n'),
    [],
  ],
  ['a file that both make', 'echo > new', (root) => writeFileSync(join(root, 'new'), 'theirs\n'), ['new']],
  [
    'a file that is removed here and changed there',
    'rm a',
    (root) => writeFileSync(join(root, 'a'), 'theirs\n'),
    ['a'],
  ],
  ['a file that is changed here and removed there', 'echo >> a', (root) => rmSync(join(root, 'a')), ['a']],
  ['a mode that both change', 'chmod 700 a', (root) => chmodSync(join(root, 'a'), 0o640), ['a']],
  [
    'a new file in a folder that is removed',
    'rm -r d',
    (root) => writeFileSync(join(root, 'd/3'), ''),
    ['d/3'],
  ],
  [
    'a new file in a folder with other changes',
    'echo >> d/1',
    (root) => writeFileSync(join(root, 'd/3'), ''),
    [],
  ],
  [
    'a new file in a folder that is made anew',
    'rm -r d; mkdir d',
    (root) => writeFileSync(join(root, 'd/3'), ''),
    [],
  ],
  ['a folder that both make', 'mkdir n; echo > n/1', (root) => mkdirSync(join(root, 'n')), []],
  ['a folder that is gone', 'echo > d/3', (root) => rmSync(join(root, 'd'), { recursive: true }), ['d/3']],
  ['a folder that became a link', 'echo > d/3', swapForLink, ['d/3']],
];

function swapForLink(root: string): void {
  rmSync(join(root, 'd'), { recursive: true });
  symlinkSync('../out', join(root, 'd'));
}

describe('conflicts', () => {
  it.each(MEDDLING)('after the command ended: %s', async (_, line, meddle, conflicts) => {
    await using workspace = tempWorkspace(FILES);
    using commands = commandsIn(workspace);
    await using changes = (await captured(commands, line)).changes;
    meddle(workspace.root);
    expect(await changes.conflicts()).toEqual(conflicts);
    await expectNothingLost(workspace, changes, conflicts);
  });

  // That a file was removed by somebody else can't be told while the command has it: then it is there again.
  it.each(MEDDLING.slice(0, 9).filter(([what]) => !what.endsWith('removed there')))(
    'while the command runs: %s',
    async (_, line, meddle, conflicts) => {
      await using workspace = tempWorkspace(FILES);
      using commands = commandsIn(workspace);
      const onOutput = (): void => meddle(workspace.root);
      await using changes = (await captured(commands, `${line}; echo now; sleep 0.2`, { onOutput })).changes;
      expect(await changes.conflicts()).toEqual(conflicts);
    },
  );

  it('are none after many changes of the same file, one right after the other', async () => {
    await using workspace = tempWorkspace(FILES);
    using commands = commandsIn(workspace);
    for (let count = 0; count < 10; count++) {
      await using changes = (await captured(commands, 'echo x >> a; echo > d/1')).changes;
      writeFileSync(join(workspace.root, 'b'), String(count));
      expect(await changes.conflicts()).toEqual([]);
      await changes.takeOver();
    }
    expect(readFileSync(join(workspace.root, 'a'), 'utf8')).toBe(`a\n${'x\n'.repeat(10)}`);
  });

  it("are none where an editor's git only looked at its files again, at any time", async () => {
    await using workspace = tempWorkspace(FILES);
    using commands = commandsIn(workspace);
    const git = (...args: string[]): void => void execFileSync('git', args, { cwd: workspace.root });
    git('init', '-q');
    git('add', 'a');
    let seconds = 1_000;
    const refresh = (): void => {
      const index = readFileSync(join(workspace.root, '.git/index'));
      utimesSync(join(workspace.root, 'a'), ++seconds, seconds);
      git('update-index', '--refresh');
      expect(readFileSync(join(workspace.root, '.git/index')).equals(index)).toBe(false);
    };
    const line = 'git add b; echo now; sleep 0.2';
    await using changes = (await captured(commands, line, { onOutput: refresh })).changes;
    refresh();
    expect(changes.entries.map(({ path }) => path)).toContain('.git/index');
    expect(await changes.conflicts()).toEqual([]);
    await changes.takeOver();
    await using other = (
      await captured(commands, line.replace('b', 'd'), { onOutput: () => git('rm', '-q', '--cached', 'a') })
    ).changes;
    expect(await other.conflicts()).toEqual(['.git/index']);
  });

  it('are not where the command moved or linked files', async () => {
    await using workspace = tempWorkspace(FILES);
    using commands = commandsIn(workspace);
    await using changes = (
      await captured(commands, 'mv a c; mv d/1 one; rm -r d; ln b b2; mv one d; mkdir e; mv d e')
    ).changes;
    expect(await changes.conflicts()).toEqual([]);
  });

  it('are not of the command itself: what was taken over can be changed again', async () => {
    await using workspace = tempWorkspace(FILES);
    using commands = commandsIn(workspace);
    await takenOver(commands, 'rm -r d; echo > d; echo 1 > n');
    await takenOver(commands, 'rm d n; mkdir d; echo > d/n');
    expect(describedTree(workspace.root)).toEqual([
      'file "a\\n" 644 a',
      'file "b\\n" 644 b',
      'folder 755 d',
      'file "\\n" 644 d/n',
    ]);
  });
});

/** Where there are conflicts nothing that somebody else did is lost, and nothing is written elsewhere. */
async function expectNothingLost(
  { root, outside }: { root: string; outside: string },
  changes: { takeOver(): Promise<void> },
  conflicts: readonly string[],
): Promise<void> {
  const before = describedTree(root);
  if (conflicts.length === 0) return changes.takeOver();
  await expect(changes.takeOver()).rejects.toMatchObject({
    code: 'E_CONFLICT',
  });
  expect(describedTree(root).filter((entry) => !before.includes(entry))).toEqual([]);
  expect(describedTree(outside)).toHaveLength(1);
}
