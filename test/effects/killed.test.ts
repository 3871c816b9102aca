/** Processes killed at any moment of a command, of taking its changes over and of the undo: all of it or nothing. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createRuntime } from '../../src/index.ts';
import { openAudit } from '../journal/fixtures/open-audit.ts';
import { pseudoRandom } from '../journal/fixtures/pseudo-random.ts';
import { type Tree, treeOf } from '../journal/fixtures/tree.ts';
import { scaled } from '../support/scale.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';

/** `HANDRAIL_CRASH_SEED=…` repeats the delays of an earlier run. */
const SEED = Number(process.env['HANDRAIL_CRASH_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const PROGRAM = fileURLToPath(new URL('fixtures/call-and-tell.ts', import.meta.url));
const FILES = 120;
const ROUNDS = scaled(12);

/** Rewrites every file, removes some, makes others, and swaps kinds. */
const SCRIPT = `for file in many/*.txt; do echo changed >> $file; done
rm -r old; mkdir -p new/in; cp many/1*.txt new/in; rm kind; mkdir kind; echo x > kind/x
`;

function filled(): TempWorkspace {
  const names = Array.from({ length: FILES }, (_, index) => `many/${index}.txt`);
  const files = Object.fromEntries(names.map((name) => [name, `${name}\n`.repeat(100)]));
  return tempWorkspace({ ...files, 'old/a': 'a\n', 'old/deep/b': 'b\n', kind: 'file\n', 'run.sh': SCRIPT });
}

interface Ended {
  /** Whether it got to its end before it was killed. */
  readonly isDone: boolean;
  /** From being ready to its end. */
  readonly took: number;
}

/** Starts the program, and kills it some time after it is ready. */
async function killAfter({ root, locations }: TempWorkspace, ms: number, ...args: string[]): Promise<Ended> {
  const child = spawn(process.execPath, [PROGRAM, root, JSON.stringify(locations), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  let readyAt = NaN;
  for await (const line of createInterface(child.stdout)) {
    if (!('ready' in (JSON.parse(line) as object))) continue;
    readyAt = performance.now();
    void delay(ms).then(() => child.kill('SIGKILL'));
  }
  await exit;
  return { isDone: child.signalCode === null, took: performance.now() - readyAt };
}

/** What a command wrote and nobody has any more. */
function leftIn({ locations }: TempWorkspace): string[] {
  const views = join(locations.state, 'views');
  const ids = existsSync(views) ? readdirSync(views) : [];
  return ids.filter((id) => existsSync(join(views, id, 'upper')));
}

/** What a start says, and what is there then. */
async function startAgain(workspace: TempWorkspace): Promise<{ cutShort: readonly string[]; tree: Tree }> {
  const { root, locations } = workspace;
  await using runtime = await createRuntime({ workspace: root, locations });
  const tree = treeOf(root);
  return { cutShort: runtime.recovery.cutShort, tree };
}

/** The tree once what was done is taken back. */
async function takenBack({ root, locations }: TempWorkspace, isDone: boolean): Promise<Tree> {
  await using runtime = await createRuntime({ workspace: root, locations });
  if (isDone) await runtime.undo();
  return treeOf(root);
}

const SAYINGS = {
  before: /^The command `sh \.\/run\.sh` of call_\w+ was cut short: nothing of it was taken over\.$/,
  after: /^The command `sh \.\/run\.sh` of call_\w+ was cut short: its changes were taken over whole\.$/,
};

describe('a runtime that is killed', () => {
  it(`while a command runs or is taken over leaves the tree before or after it, and the next start says which (seed ${SEED})`, async () => {
    await using sample = filled();
    const before = treeOf(sample.root);
    const { took } = await killAfter(sample, 120_000, 'sh ./run.sh');
    const after = treeOf(sample.root);
    const random = pseudoRandom(SEED);
    const seen = { before: 0, after: 0 };
    // Kills that never met a command under way would prove nothing: then there are more.
    for (let round = 0; round < ROUNDS || seen.before + seen.after === 0; round++) {
      await using workspace = filled();
      const { isDone } = await killAfter(workspace, random() * took, 'sh ./run.sh');
      const { cutShort, tree } = await startAgain(workspace);
      const which = isDeepStrictEqual(tree, after) ? 'after' : 'before';
      expect({ round, tree }).toEqual({ round, tree: which === 'after' ? after : before });
      for (const sentence of cutShort) expect(sentence).toMatch(SAYINGS[which]);
      expect({ round, left: leftIn(workspace) }).toEqual({ round, left: [] });
      if (!isDone) seen[which] += cutShort.length;
      expect(await takenBack(workspace, which === 'after')).toEqual(before);
      await using audit = openAudit(workspace.locations);
      const calls = await audit.list({ limit: 10 });
      expect(calls.filter(({ outcome }) => outcome === null)).toEqual([]);
    }
  }, 300_000);
});
