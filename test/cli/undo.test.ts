/** `handrail turns` and `undo`, as a person would use them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { localProcessTable } from '../../src/host/local/process-table.ts';
import type { UndoReport } from '../../src/index.ts';
import { treeOf } from '../journal/fixtures/tree.ts';
import { inStore } from '../journal/fixtures/used-state.ts';
import { actionsOf, type Change } from '../journal/fixtures/work.ts';
import { handrail } from '../support/command-line.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';
import { callOf, change, locationsOf, turnsOf, verify, workedIn } from './fixtures/turns.ts';

const undoJson = async (workspace: TempWorkspace, ...args: string[]): Promise<UndoReport> =>
  JSON.parse((await handrail(workspace, ['undo', '--json', ...args])).stdout) as UndoReport;

describe('handrail turns', () => {
  it('says that nothing was changed yet', async () => {
    await using workspace = tempWorkspace();
    expect(await handrail(workspace, ['turns'])).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: 'Nothing was changed in this workspace yet.\n',
    });
  });

  it('lists what was changed, newest first, and what was taken back', async () => {
    await using workspace = await workedIn();
    await handrail(workspace, ['undo']);
    const [header, ...rows] = (await handrail(workspace, ['turns'])).stdout.split('\n').slice(0, -1);
    expect(header).toMatch(/^TIME +TURN +WHAT +ENTRIES +STATE$/);
    const columns = rows.map((row) => row.split(/ {2,}/).slice(1));
    expect(columns).toEqual([
      [expect.stringMatching(/^turn_/), 'undo', '1', ''],
      ['turn-3', 'work', '1', 'taken back'],
      ['turn-2', 'work', '2', ''],
      ['turn-1', 'work', '1', ''],
    ]);
    expect((await handrail(workspace, ['turns', '--limit', '2'])).stdout.trimEnd().split('\n')).toHaveLength(
      3,
    );
  });

  it('says that an undo was cut short, or which process is at it', async () => {
    await using workspace = await workedIn();
    await handrail(workspace, ['undo']);
    inStore(locationsOf(workspace), "update turns set ended = 0 where kind = 'undo'");
    expect((await handrail(workspace, ['turns'])).stdout).toMatch(/undo +1 +cut short\n/);
    const { self } = localProcessTable();
    inStore(locationsOf(workspace), `update turns set owner = '${self}' where ended = 0`);
    const underWay = new RegExp(`undo +1 +under way in process ${process.pid}\\n`);
    expect((await handrail(workspace, ['turns'])).stdout).toMatch(underWay);
    expect(await handrail(workspace, ['undo'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(`Process ${process.pid} is taking turns back in this workspace.\n`),
    });
  });
});

describe('handrail undo', () => {
  it('takes back turn by turn, and the audit holds', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    const changes: readonly Change[] = [
      ['write', 'a.txt', 'replaced\n'],
      ['write', 'new/c.txt', 'made\n'],
      ['delete', 'b.txt'],
      ['move', 'a.txt', 'moved.txt'],
    ];
    const trees: object[] = [];
    for (const each of changes) {
      trees.unshift(treeOf(workspace.root));
      await change(workspace, [each]);
    }
    for (const tree of trees) {
      expect(await handrail(workspace, ['undo'])).toMatchObject({ exitCode: 0, stderr: '' });
      expect(treeOf(workspace.root)).toEqual(tree);
    }
    expect(await handrail(workspace, ['undo'])).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'handrail: There is no turn to take back.\n  `handrail turns` lists what there is.\n',
    });
    // Three lines each for four calls and four undos, two for the one that found nothing.
    expect(await verify(workspace)).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^The audit holds: 26 lines in \d+ chains?\.\n$/),
    });
  });

  it('says what it did, and how to take that back', async () => {
    await using workspace = await workedIn();
    const last = treeOf(workspace.root);
    const ran = await handrail(workspace, ['undo', '--last', '3']);
    const [undo] = await turnsOf(workspace);
    expect(ran.exitCode).toBe(0);
    const [said, ...steps] = ran.stdout.trimEnd().split('\n').reverse();
    expect(said).toBe(`Took back 3 turns. \`handrail undo ${undo!.id}\` takes this undo back.`);
    expect(steps.sort()).toEqual([
      'removed    new',
      'removed    new/c.txt',
      'restored   a.txt',
      'restored   b.txt',
    ]);
    expect(await handrail(workspace, ['undo', undo!.id])).toMatchObject({ exitCode: 0 });
    expect(treeOf(workspace.root)).toEqual(last);
  });

  it('exits with 1 where something was left alone, and says what and why', async () => {
    await using workspace = await workedIn();
    workspace.write('a.txt', 'by hand\n');
    const ran = await handrail(workspace, ['undo', '--last', '3']);
    expect(ran.exitCode).toBe(1);
    expect(ran.stdout).toContain('LEFT ALONE a.txt (it was changed since)\n');
    expect(ran.stdout).toContain('restored   b.txt\n');
    expect(ran.stdout).toContain('Took back 2 turns, but left 1 entry alone.');
    expect(readFileSync(join(workspace.root, 'a.txt'), 'utf8')).toBe('by hand\n');

    expect(await handrail(workspace, ['undo'])).toEqual({
      exitCode: 1,
      stdout: 'LEFT ALONE a.txt (it was changed since)\nNothing was changed.\n',
      stderr: '',
    });
    workspace.write('a.txt', 'a\n');
    expect(await handrail(workspace, ['undo'])).toEqual({
      exitCode: 0,
      stdout: 'as it was  a.txt\nNothing was changed: all of it was as before.\n',
      stderr: '',
    });
  });

  it('only says what it would do with --dry-run, and that is what it does', async () => {
    await using workspace = await workedIn();
    workspace.write('b.txt', 'by hand\n');
    const before = { tree: treeOf(workspace.root), turns: await turnsOf(workspace) };
    const shown = await handrail(workspace, ['undo', '--last', '2', '--dry-run']);
    expect(shown.exitCode).toBe(1);
    expect(shown.stdout).toMatch(/This is what would be done to take back 2 turns; nothing was\.\n$/);
    const dry = await undoJson(workspace, '--last', '2', '--dry-run');
    expect({ tree: treeOf(workspace.root), turns: await turnsOf(workspace) }).toEqual(before);
    const real = await undoJson(workspace, '--last', '2');
    expect({ turns: dry.turns, actions: actionsOf(dry) }).toEqual({
      turns: real.turns,
      actions: actionsOf(real),
    });
    expect(dry).not.toHaveProperty('turn');
    expect(real.turn).toMatch(/^turn_/);
  });

  it('takes back a call, a session, and the turns of the last hour', async () => {
    await using workspace = tempWorkspace();
    await handrail(workspace, callOf(['write', 'one', '1'], '--session', 'ses_one'));
    await handrail(workspace, callOf(['write', 'two', '2'], '--session', 'ses_two'));
    await handrail(workspace, callOf(['write', 'three', '3']));
    await handrail(workspace, callOf(['write', 'four', '4']));
    const listed = await handrail(workspace, ['audit', 'list', '--json']);
    const [four] = JSON.parse(listed.stdout) as { call_id: string }[];
    expect(actionsOf(await undoJson(workspace, '--call', four!.call_id))).toEqual({ four: 'remove' });
    expect(actionsOf(await undoJson(workspace, '--session', 'ses_one'))).toEqual({ one: 'remove' });
    const anHourAgo = Date.now() - 3_600_001;
    inStore(locationsOf(workspace), `update turns set started_at = ${anHourAgo} where session = 'ses_two'`);
    expect(actionsOf(await undoJson(workspace, '--since', '1h'))).toMatchObject({ three: 'remove' });
    expect(Object.keys(treeOf(workspace.root))).toEqual(['two']);
    expect(actionsOf(await undoJson(workspace, '--since', '61m'))).toEqual({ two: 'remove' });
  });

  it.each([
    [['--last', '0'], '--last 0 is not a positive whole number.'],
    [['--last', 'two'], '--last two is not a positive whole number.'],
    [['--since', 'yesterday'], '--since yesterday is not a time such as 30s, 10m, 2h or 1d.'],
    [['turn_x', '--last', '1'], 'choose one of a turn, --call, --last, --since and --session.'],
  ])('exits with 2 on %j and takes nothing back', async (args, message) => {
    await using workspace = await workedIn();
    const before = treeOf(workspace.root);
    expect(await handrail(workspace, ['undo', ...args])).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `handrail: ${message}\n`,
    });
    expect(treeOf(workspace.root)).toEqual(before);
  });

  it('shows control characters in names instead of sending them to the terminal', async () => {
    await using workspace = tempWorkspace();
    await change(workspace, [['write', 'a\u001b[2J.txt', 'x']]);
    const { stdout } = await handrail(workspace, ['undo']);
    expect(stdout).toContain('removed    a\\u001b[2J.txt\n');
    expect(stdout).not.toContain('\u001b');
  });
});
