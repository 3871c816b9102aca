/** Processes that are killed while they change files or take changes back: the way back is whole all the same. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createRuntime, type TurnQuery, type UndoReport, type UndoStep } from '../../src/index.ts';
import { scaled } from '../support/scale.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';
import { pseudoRandom } from './fixtures/pseudo-random.ts';
import { type Tree, treeOf } from './fixtures/tree.ts';
import { actionsOf, type Change, work } from './fixtures/work.ts';

/** `HANDRAIL_CRASH_SEED=…` repeats the delays and contents of an earlier run. */
const SEED = Number(process.env['HANDRAIL_CRASH_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const ROUNDS = scaled(8);
const LONGEST_MS = 400;
const LONGEST_UNDO_MS = 150;

const programOf = (name: string): string => fileURLToPath(new URL(`fixtures/${name}.ts`, import.meta.url));

interface Program extends Disposable {
  /** What it says, line by line. */
  readonly said: AsyncIterable<{ ready?: true; turn?: number; report?: UndoReport }>;
  readonly process: ChildProcess;
}

function start(name: string, { root, locations }: TempWorkspace, ...more: string[]): Program {
  const args = [programOf(name), root, JSON.stringify(locations), ...more];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface(child.stdout);
  return {
    process: child,
    said: {
      async *[Symbol.asyncIterator]() {
        for await (const line of lines) yield JSON.parse(line) as object;
      },
    },
    [Symbol.dispose]: () => void child.kill('SIGKILL'),
  };
}

/** Lets a program run for some time from when it is ready, kills it, and returns the last thing it said. */
async function runUntilKilled(program: Program, milliseconds: number): Promise<object | undefined> {
  const { process: child } = program;
  const exit = once(child, 'exit');
  let last: object | undefined;
  for await (const said of program.said) {
    if (said.ready) void delay(milliseconds).then(() => child.kill('SIGKILL'));
    last = said;
  }
  await exit;
  return last;
}

describe('undo after a kill', () => {
  it(`gives the first tree back to the byte, ${ROUNDS} times or more (seed ${SEED})`, async () => {
    await using workspace = tempWorkspace({ a: 'a\n', 'd/a': 'd\n', 'd/e/a': 'e\n', 'f/a': 'f\n' });
    const { root, locations } = workspace;
    const random = pseudoRandom(SEED);
    const first = treeOf(root);
    const total = { interrupted: 0, turns: 0 };
    // Kills that never met a change under way would prove nothing: then there are more.
    for (let round = 0; round < ROUNDS || Object.values(total).includes(0); round++) {
      using program = start('change-for-ever', workspace, String(SEED + round), String(round * 1_000_000));
      await runUntilKilled(program, random() * LONGEST_MS);
      // Anything else means that the program ended by itself, which it never should.
      expect(program.process.signalCode).toBe('SIGKILL');

      await using runtime = await createRuntime({ workspace: root, locations });
      const open = (await runtime.turns(1_000_000)).filter(
        ({ kind, undone_by }) => kind === 'work' && undone_by === null,
      );
      const leftAlone: unknown[] = [];
      for (const { id } of open) {
        const { turns, steps } = await runtime.undo();
        expect(turns).toEqual([id]);
        leftAlone.push(...steps.filter(({ action }) => action === 'conflict' || action === 'lost'));
      }
      expect({ round, leftAlone, tree: treeOf(root) }).toEqual({ round, leftAlone: [], tree: first });
      total.interrupted += runtime.recovery.interrupted;
      total.turns += open.length;
    }
  }, 180_000);

  it(`that cut an undo short leaves the tree before or after it, and the next start says which (seed ${SEED})`, async () => {
    const random = pseudoRandom(SEED);
    let cutShort = 0;
    // Kills that never meet an undo under way prove nothing: then it is tried again.
    for (let round = 0; round < ROUNDS || cutShort === 0; round++) {
      await using workspace = await muchWork();
      const { root, locations, first, last } = workspace;
      const query: TurnQuery = { last: 3 };
      using program = start('undo-once', workspace, JSON.stringify(query));
      const said = await runUntilKilled(program, random() * LONGEST_UNDO_MS);
      const isDone = said !== undefined && 'report' in said;
      await using runtime = await createRuntime({ workspace: root, locations });
      const [sentence] = runtime.recovery.cutShort;
      const isAfter =
        isDone || sentence?.endsWith(': it was gone on with, and all of it was taken back.') === true;
      expect({ round, sentence, tree: treeOf(root) }).toEqual({
        round,
        sentence,
        tree: isAfter ? first : last,
      });
      if (sentence !== undefined) cutShort++;
      const undone = (await runtime.turns()).filter(({ kind }) => kind === 'undo');
      expect(undone.map(({ ended }) => ended)).toEqual(isAfter ? [1] : []);
      if (isAfter) await runtime.undo({ turn: undone[0]!.id });
      expect(treeOf(root)).toEqual(last);
    }
  }, 180_000);

  const changes: readonly Change[] = [
    ['write', 'text.txt', 'replaced\n'],
    ['write', 'new/in/made.txt', 'made\n'],
    ['delete', 'd'],
    ['move', 'd', 'new/d'],
  ];
  const moments = changes.flatMap((change) =>
    ['before', 'after'].map((moment) => ({ moment, change, what: change.slice(0, 2).join(' ') })),
  );
  it.each(moments)('right $moment a $what gives back what there was', async ({ moment, change }) => {
    await using workspace = tempWorkspace({ 'text.txt': 'text\n', 'd/e/x.sh': 'x\n' });
    const { root, locations } = workspace;
    const first = treeOf(root);
    const args = [
      programOf('change-and-die'),
      root,
      JSON.stringify(locations),
      JSON.stringify(change),
      moment,
    ];
    const { signal } = spawnSync(process.execPath, args, { stdio: 'inherit' });
    const isChanged = !isDeepStrictEqual(treeOf(root), first);
    expect({ signal, isChanged }).toEqual({ signal: 'SIGKILL', isChanged: moment === 'after' });
    const runtime = await workspace.runtime();
    const { steps } = await runtime.undo();
    const done = steps.filter(({ action }) => action !== 'keep');
    expect({ isDone: done.length > 0, tree: treeOf(root) }).toEqual({ isDone: isChanged, tree: first });
  });

  it('before any of its changes is completed by the same undo, which can be taken back', async () => {
    let step = 0;
    let isKilled = true;
    while (isKilled) {
      const { first, last, ended, leftAlone, trees } = await undoKilledBefore(++step);
      isKilled = ended === 'SIGKILL';
      expect({ step, ended, leftAlone, trees }).toEqual({
        step,
        ended: isKilled ? 'SIGKILL' : 0,
        leftAlone: [],
        trees: [first, last],
      });
    }
    // It was killed before each of its changes, and then got to the end.
    expect(step).toBeGreaterThan(20);
  }, 180_000);
});

describe('undo while another process is at it', () => {
  it('says which one, does nothing, and goes on with its work once it is gone', async () => {
    await using workspace = tempWorkspace({ a: '0', b: '0', c: '0' });
    const { root, locations } = workspace;
    const first = treeOf(root);
    const runtime = await workspace.runtime({ mode: 'auto' });
    const changes = ['a', 'b', 'c'].map((path): Change => ['write', path, '1']);
    await work(runtime, 'turn-1', changes);
    const args = [programOf('undo-for-ever'), root, JSON.stringify(locations)];
    const other = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    try {
      await once(other.stdout, 'data');
      const before = treeOf(root);
      const refusal = {
        code: 'E_CONFLICT',
        message: `Process ${other.pid} is taking turns back in this workspace.`,
      };
      await expect(runtime.undo()).rejects.toMatchObject(refusal);
      await expect(runtime.undo({ last: 1 }, { dryRun: true })).rejects.toMatchObject(refusal);
      expect(treeOf(root)).toEqual(before);
      expect((await runtime.turns())[0]).toMatchObject({ kind: 'undo', ended: 0, process: other.pid });
    } finally {
      other.kill('SIGKILL');
      await once(other, 'exit');
    }
    expect(actionsOf(await runtime.undo())).toEqual({ a: 'keep', b: 'restore', c: 'restore' });
    expect(treeOf(root)).toEqual(first);
    expect((await runtime.turns()).map(({ kind, ended }) => [kind, ended])).toEqual([
      ['undo', 1],
      ['work', 1],
    ]);
  });

  it('which is a call of its own process, is refused as well', async () => {
    await using workspace = tempWorkspace({ a: '0', b: '0' });
    const first = treeOf(workspace.root);
    const runtime = await workspace.runtime({ mode: 'auto' });
    await work(runtime, 'turn-1', [['write', 'a', '1']]);
    await work(runtime, 'turn-2', [['write', 'b', '1']]);
    const [one, other] = await Promise.allSettled([runtime.undo(), runtime.undo()]);
    expect([one.status, other]).toMatchObject(['fulfilled', { reason: { code: 'E_CONFLICT' } }]);
    await runtime.undo();
    expect(treeOf(workspace.root)).toEqual(first);
  });
});

interface KilledUndo {
  readonly first: Tree;
  readonly last: Tree;
  /** The signal or the exit code that the process ended with. */
  readonly ended: string | number | null;
  readonly leftAlone: readonly UndoStep[];
  /** After the undo, and after the undo of it. */
  readonly trees: readonly Tree[];
}

/** Takes a turn back in a process that dies before the given step, and then once more in one that does not. */
async function undoKilledBefore(step: number): Promise<KilledUndo> {
  await using workspace = tempWorkspace({ 'text.txt': 'text\n', 'd/e/x.sh': 'x\n', 'e/y.txt': 'y\n' });
  const { root, locations } = workspace;
  mkdirSync(join(root, 'd/empty'));
  symlinkSync('text.txt', join(root, 'd/link'));
  symlinkSync('d', join(root, 'link'));
  chmodSync(join(root, 'd/e/x.sh'), 0o750);
  chmodSync(join(root, 'd/e'), 0o555);
  chmodSync(join(root, 'd'), 0o700);
  chmodSync(join(root, 'e'), 0o500);
  const first = treeOf(root);
  const runtime = await workspace.runtime({ mode: 'auto' });
  await work(runtime, 'turn-1', [
    ['write', 'new/in/made.txt', 'made\n'],
    ['write', 'text.txt', 'replaced\n'],
    ['delete', 'd'],
    ['delete', 'link'],
    ['write', 'd', 'a file now\n'],
    ['write', 'link/in.txt', 'a directory now\n'],
    ['move', 'e', 'moved/e'],
  ]);
  const last = treeOf(root);
  const args = [programOf('undo-and-die'), root, JSON.stringify(locations), '{"last":1}', String(step)];
  const { signal, status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  const { steps } = signal === null ? { steps: [] } : await runtime.undo();
  const leftAlone = steps.filter(({ action }) => action === 'conflict' || action === 'lost');
  const undone = treeOf(root);
  const undo = (await runtime.turns()).find(({ kind }) => kind === 'undo');
  await runtime.undo({ turn: undo!.id });
  return { first, last, ended: signal ?? status, leftAlone, trees: [undone, treeOf(root)] };
}

/** A workspace with three turns of many changes, the tree before them and the one after. */
async function muchWork(): Promise<TempWorkspace & { first: object; last: object }> {
  const names = Array.from({ length: 24 }, (_, index) => `${index % 4}/${index}.txt`);
  const workspace = tempWorkspace(Object.fromEntries(names.map((name) => [`there/${name}`, `${name}\n`])));
  const { root, locations } = workspace;
  const first = treeOf(root);
  await using runtime = await createRuntime({ workspace: root, locations, mode: 'auto' });
  await work(
    runtime,
    'turn-1',
    names.map((name): Change => ['write', `there/${name}`, 'replaced\n']),
  );
  await work(runtime, 'turn-2', [
    ['move', 'there', 'moved/there'],
    ['delete', 'moved/there/2'],
  ]);
  await work(
    runtime,
    'turn-3',
    names.map((name): Change => ['write', `made/${name}`, 'made\n']),
  );
  return { ...workspace, first, last: treeOf(root) };
}
