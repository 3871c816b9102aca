/** Views whose processes were killed: found again, dropped, or gone on with from wherever it was. */
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { commandsIn } from '../../../support/commands.ts';
import { type TempWorkspace, tempWorkspace } from '../../../support/temp-workspace.ts';
import { leftOut } from '../fixtures/left-out.ts';
import { startAs, type User, whyNotAs } from '../sandbox/fixtures/commands-in-a-child.ts';
import { captured } from './fixtures/captured.ts';
import { describedTree } from './fixtures/described-tree.ts';

const PROGRAM = fileURLToPath(new URL('fixtures/take-over-and-die.ts', import.meta.url));
const FILES = { a: 'a\n', c: 'c\n', 'd/1': '1\n', f: 'f\n', 'g/h': '' };
const LINE =
  'echo b >> a; chmod 750 c; rm -r d; rm f; mkdir f; echo 1 > f/1; chmod 555 f; rm -r g; ln -s /etc g';
const AFTER = [
  'file "a\\nb\\n" 644 a',
  'file "c\\n" 750 c',
  'folder 555 f',
  'file "1\\n" 644 f/1',
  'link to /etc 777 g',
];

/** Says whether it was killed. */
async function takeOverAndDie(
  workspace: TempWorkspace,
  dieAt: number,
  moment = 'before',
  [user, line]: readonly [User, string] = ['root', LINE],
): Promise<boolean> {
  const child = startAs(workspace, user, PROGRAM, { line, dieAt, moment });
  child.stderr!.pipe(process.stderr);
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  if (code !== 0 && signal !== 'SIGKILL') throw new Error(`The process ended with ${code}.`);
  return signal === 'SIGKILL';
}

async function goOn(workspace: TempWorkspace): Promise<void> {
  using commands = commandsIn(workspace);
  const left = commands.left.list();
  expect(left).toEqual([{ id: expect.stringMatching(/^view_/), label: 'a label', isApplied: false }]);
  await using changes = await commands.left.reopen(left[0]!.id);
  expect(commands.left.list()).toEqual([]);
  await changes.takeOver();
}

function expectDone(workspace: TempWorkspace): void {
  expect(describedTree(workspace.root)).toEqual(AFTER);
  expect(readdirSync(join(workspace.locations.state, 'views'))).toEqual([]);
}

const ELSEWHERE = '/dev/shm';

/** Why there is no second file system to keep views on. */
function whyNotElsewhere(): string | undefined {
  const isThere = existsSync(ELSEWHERE) && statSync(ELSEWHERE).dev !== statSync(tmpdir()).dev;
  return isThere ? undefined : leftOut('there is no second file system');
}

describe('leftViews', () => {
  it(
    'is gone on with, wherever taking over was cut off, and cut off again',
    { timeout: 120_000 },
    async () => {
      let dieAt = 0;
      for (let wasKilled = true; wasKilled;) {
        await using workspace = tempWorkspace(FILES);
        wasKilled = await takeOverAndDie(workspace, ++dieAt, dieAt % 2 === 0 ? 'before' : 'after');
        if (wasKilled && dieAt % 3 === 0 && (await takeOverAndDie(workspace, 2))) await goOn(workspace);
        else if (wasKilled && dieAt % 3 !== 0) await goOn(workspace);
        expectDone(workspace);
      }
      expect(dieAt).toBeGreaterThan(8);
    },
  );

  it.skipIf(whyNotElsewhere() !== undefined)(
    'is gone on with where the state is on another file system',
    { timeout: 120_000 },
    async () => {
      let dieAt = 1;
      for (let wasKilled = true; wasKilled; dieAt += 2) {
        await using usual = tempWorkspace(FILES);
        const state = mkdtempSync(join(ELSEWHERE, 'handrail-test-'));
        using _ = { [Symbol.dispose]: () => rmSync(state, { recursive: true }) };
        const workspace = { ...usual, locations: { ...usual.locations, state } };
        wasKilled = await takeOverAndDie(workspace, dieAt, dieAt % 4 === 1 ? 'before' : 'after');
        if (wasKilled) await goOn(workspace);
        expectDone(workspace);
      }
      expect(dieAt).toBeGreaterThan(8);
    },
  );

  it.skipIf(whyNotAs('nobody') !== undefined)(
    'is gone on with by an ordinary user, in folders that may not be written',
    { timeout: 120_000 },
    async () => {
      const line =
        'chmod -R u+w d e; rm d/1; echo 3 > d/3; chmod 555 d; rm -r e; mkdir f; echo > f/1; chmod 000 f';
      let dieAt = 1;
      for (let wasKilled = true; wasKilled; dieAt += 2) {
        await using workspace = tempWorkspace({ 'd/1': '1\n', 'e/2': '2\n' });
        for (const folder of ['d', 'e']) chmodSync(join(workspace.root, folder), 0o555);
        const moment = dieAt % 4 === 1 ? 'before' : 'after';
        wasKilled = await takeOverAndDie(workspace, dieAt, moment, ['nobody', line]);
        if (wasKilled) await takeOverAndDie(workspace, 0, moment, ['nobody', line]);
        expect(describedTree(workspace.root)).toEqual([
          'folder 555 d',
          'file "3\\n" 644 d/3',
          'folder 0 f',
          'file "\\n" 644 f/1',
        ]);
      }
      expect(dieAt).toBeGreaterThan(8);
    },
  );

  it('is dropped without a trace', async () => {
    await using workspace = tempWorkspace(FILES);
    const before = describedTree(workspace.root);
    expect(await takeOverAndDie(workspace, 1)).toBe(true);
    using commands = commandsIn(workspace);
    await commands.left.drop(commands.left.list()[0]!.id);
    expect(commands.left.list()).toEqual([]);
    expect(describedTree(workspace.root)).toEqual(before);
    expect(readdirSync(join(workspace.locations.state, 'views'))).toEqual([]);
  });

  it('is removed after a week in which nobody came for it', async () => {
    await using workspace = tempWorkspace(FILES);
    expect(await takeOverAndDie(workspace, 1)).toBe(true);
    const views = join(workspace.locations.state, 'views');
    const [id] = readdirSync(views);
    using commands = commandsIn(workspace);
    const weekAgo = Date.now() / 1_000 - 8 * 86_400;
    utimesSync(join(views, id!), weekAgo, weekAgo);
    await commands.sandbox();
    expect(readdirSync(views)).toEqual([]);
  });

  it('is none of a process that lives, of another workspace, or by another name', async () => {
    await using workspace = tempWorkspace(FILES);
    await using other = tempWorkspace();
    using commands = commandsIn(workspace);
    await using changes = (await captured(commands, LINE)).changes;
    expect(await takeOverAndDie({ ...other, locations: workspace.locations }, 1)).toBe(true);
    expect(commands.left.list()).toEqual([]);
    for (const id of [changes.id, '../views', 'none']) {
      await expect(commands.left.reopen(id)).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
      await commands.left.drop(id);
    }
    await changes.takeOver();
  });
});
