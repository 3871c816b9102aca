/** Processes that are killed while they change files or take changes back: the way back is whole all the same. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createRuntime, type TurnQuery, type UndoReport } from '../../src/index.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';
import { pseudoRandom } from './fixtures/pseudo-random.ts';
import { treeOf, writeOneOfEach } from './fixtures/tree.ts';
import { type Change, work } from './fixtures/work.ts';

/** `HANDRAIL_CRASH_SEED=…` repeats the delays and contents of an earlier run. */
const SEED = Number(process.env['HANDRAIL_CRASH_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const ROUNDS = 8;
const LONGEST_MS = 400;

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
  it(`gives the first tree back to the byte, ${ROUNDS} times (seed ${SEED})`, async () => {
    await using workspace = tempWorkspace({ a: 'a\n', 'd/a': 'd\n', 'd/e/a': 'e\n', 'f/a': 'f\n' });
    const { root, locations } = workspace;
    const random = pseudoRandom(SEED);
    const first = treeOf(root);
    const total = { interrupted: 0, turns: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      using program = start(
        'change-for-ever',
        workspace,
        String(SEED + round),
        String(round * 1_000_000),
      );
      await runUntilKilled(program, random() * LONGEST_MS);
      // Anything else means that the program ended by itself, which it never should.
      expect(program.process.signalCode).toBe('SIGKILL');

      await using runtime = await createRuntime({ workspace: root, locations });
      const open = (await runtime.turns(1_000_000)).filter(({ kind, undone_by }) => kind === 'work' && undone_by === null);
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
    // Kills that never met a change under way would prove nothing.
    expect(total.interrupted).toBeGreaterThan(0);
    expect(total.turns).toBeGreaterThan(ROUNDS);
  }, 180_000);
});
