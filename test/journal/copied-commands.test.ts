/** Commands that ran on the workspace itself, with copies of it: on record, and taken back. */
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { recordChanges } from '../../src/journal/pre-images.ts';
import { undo } from '../../src/journal/undo.ts';
import { commandsIn, shell } from '../support/commands.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';
import { journalParts } from './fixtures/journal-parts.ts';
import { pseudoRandom } from './fixtures/pseudo-random.ts';
import { treeOf, writeOneOfEach } from './fixtures/tree.ts';
import { actionsOf } from './fixtures/work.ts';

const UNDO = { dryRun: false, callId: 'call_undo', session: 'ses_1', onPlan: () => undefined };
const CAPTURE = { way: 'any', mustCover: true, label: 'test' } as const;

/** Runs a line where there is neither a sandbox nor a view, and records what it changed. */
async function runAndRecord(
  workspace: TempWorkspace,
  parts: ReturnType<typeof journalParts>,
  turn: string,
  line: string,
): Promise<void> {
  using commands = commandsIn(workspace, { environment: { PATH: '/nowhere' } });
  const startedAt = Date.now();
  const { changes } = await shell(commands, `PATH=/usr/bin:/bin; ${line}`, { capture: CAPTURE });
  await using found = changes!;
  await recordChanges(parts, { turn, callId: `call_${turn}`, session: 'ses_1' }).takeOver(found, {
    command: line,
    startedAt,
  });
}

describe('undo of a command with copies', () => {
  it('gives back all that it made, changed, moved and removed, and takes that back, too', async () => {
    await using workspace = tempWorkspace();
    writeOneOfEach(workspace, 'one');
    const parts = journalParts(workspace.root, workspace.locations);
    const before = treeOf(workspace.root);
    await runAndRecord(
      workspace,
      parts,
      'turn-1',
      `echo x > made; cd one; mv deep ../moved; rm text.txt long.bin; chmod 700 run.sh; echo y >> bytes.bin
       rm -r nothing; echo z > nothing; ln -sfn elsewhere link; rm dangling; mkdir -p dangling/in; : > closed/x`,
    );
    const after = treeOf(workspace.root);
    expect(after).not.toEqual(before);
    const { turn } = await undo(parts, { turn: 'turn-1' }, UNDO);
    expect(treeOf(workspace.root)).toEqual(before);
    await undo(parts, { turn: turn! }, { ...UNDO, callId: 'call_redo' });
    expect(treeOf(workspace.root)).toEqual(after);
  });

  it("gives back a commit, whatever an editor's git did to the index meanwhile", async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    const git = (...args: string[]): void => void execFileSync('git', args, { cwd: workspace.root });
    git('init', '-q');
    git('add', 'a.txt');
    const index = treeOf(workspace.root);
    const parts = journalParts(workspace.root, workspace.locations);
    const commit = 'git add b.txt && git -c user.name=n -c user.email=e commit -qm all';
    await runAndRecord(workspace, parts, 'turn-1', commit);
    execFileSync('touch', ['-d', '@1000', 'a.txt'], { cwd: workspace.root });
    git('update-index', '--refresh');
    const report = await undo(parts, { turn: 'turn-1' }, UNDO);
    expect(new Set(Object.values(actionsOf(report)))).toEqual(new Set(['restore', 'remove']));
    expect(treeOf(workspace.root)).toEqual(index);
  });

  it.each([11, 12, 13])(
    'gives back what random commands did, one after the other (seed %i)',
    async (seed) => {
      const random = pseudoRandom(seed);
      const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
      const places = ['a', 'b', 'd', 'd/c', 'd/e', 'd/e/f', 'n', 'n/m'];
      const steps = [
        'echo x >> $1',
        'rm -rf $1',
        'mv $1 $2',
        'cp -a $1 $2',
        'mkdir -p $1',
        'chmod 700 $1',
        'ln -sfn $2 $1',
      ];
      await using workspace = tempWorkspace({ a: 'a\n', b: 'b\n', 'd/c': 'c\n', 'd/e/f': 'f\n' });
      const parts = journalParts(workspace.root, workspace.locations);
      const trees = [treeOf(workspace.root)];
      const lines = Array.from({ length: 5 }, () =>
        Array.from(
          { length: 8 },
          () =>
            `{ ${pick(steps).replaceAll('$1', pick(places)).replaceAll('$2', pick(places))}; } 2>/dev/null || :`,
        ).join('\n'),
      );
      for (const [round, line] of lines.entries()) {
        await runAndRecord(workspace, parts, `turn-${round}`, line);
        trees.push(treeOf(workspace.root));
      }
      for (const round of lines.keys()) {
        const turn = lines.length - 1 - round;
        const isChanged = JSON.stringify(trees[turn]) !== JSON.stringify(trees[turn + 1]);
        if (isChanged) await undo(parts, { turn: `turn-${turn}` }, { ...UNDO, callId: `call_undo_${turn}` });
        expect({ line: lines[turn], tree: treeOf(workspace.root) }).toEqual({
          line: lines[turn],
          tree: trees[turn],
        });
      }
    },
  );
});
