/** A process that is killed in the middle of its writes, again and again: nothing is torn, lost or left behind. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createRuntime } from '../../src/index.ts';
import type { Recovery } from '../../src/journal/recover.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';
import { openAudit } from './fixtures/open-audit.ts';
import { pseudoRandom } from './fixtures/pseudo-random.ts';
import { versionOf } from './fixtures/whole-content.ts';

const PROGRAM = fileURLToPath(new URL('fixtures/write-for-ever.ts', import.meta.url));
const ROUNDS = 27;
const LONGEST_MS = 350;
/** `HANDRAIL_CRASH_SEED=…` repeats the delays and contents of an earlier run. */
const SEED = Number(process.env['HANDRAIL_CRASH_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

/** What a child said about a file before it died. */
interface Told {
  started: number;
  done: number;
}

describe('createRuntime after a kill', () => {
  it(`finds whole files, removes temporary ones and closes open calls, ${ROUNDS} times or more (seed ${SEED})`, async () => {
    await using workspace = tempWorkspace();
    const random = pseudoRandom(SEED);
    const told = new Map<string, Told>();
    const doneCalls = new Set<string>();
    const total = { interrupted: 0, swept: 0 };
    // Kills that never met a write under way would prove nothing: then there are more.
    for (let round = 0; round < ROUNDS || Object.values(total).includes(0); round++) {
      // In turn: killed while it writes; killed while it starts, which is recovering from that; killed while it writes.
      const moment = { afterReady: round % 3 !== 1, ms: random() * LONGEST_MS };
      await writeUntilKilled(workspace, {
        seed: SEED + round,
        version: round * 1_000_000,
        moment,
        told,
        doneCalls,
      });
      const torn = settle(workspace, told);
      expect({ round, torn }).toEqual({ round, torn: [] });
      if (round % 3 === 0) continue;

      const left = temporariesIn(workspace.root);
      const recovery = await startAndStop(workspace);
      expect({
        round,
        recovery,
        temporaries: temporariesIn(workspace.root),
        torn: settle(workspace, told),
        ...(await faultsOfAudit(workspace, doneCalls)),
      }).toEqual({
        round,
        recovery: { interrupted: recovery.interrupted, swept: left.length, damaged: [], cutShort: [] },
        temporaries: [],
        torn: [],
        problems: [],
        neverEnded: [],
        doneButNotToldSo: [],
        notInIndex: [],
      });
      total.interrupted += recovery.interrupted;
      total.swept += recovery.swept;
    }
  }, 180_000);
});

interface Round {
  readonly seed: number;
  readonly version: number;
  readonly moment: { readonly afterReady: boolean; readonly ms: number };
  readonly told: Map<string, Told>;
  readonly doneCalls: Set<string>;
}

/** Starts the program, kills it at the given moment, and takes in all it said until then. */
async function writeUntilKilled(
  { root, locations }: TempWorkspace,
  { seed, version, moment, told, doneCalls }: Round,
): Promise<void> {
  const args = [PROGRAM, root, JSON.stringify(locations), String(seed), String(version)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ready = Promise.withResolvers<void>();
  const heard = (async () => {
    for await (const line of createInterface(child.stdout)) {
      const said = JSON.parse(line) as {
        ready?: true;
        starts?: string;
        done?: string;
        version: number;
        callId: string;
      };
      if (said.ready) ready.resolve();
      if (said.starts !== undefined)
        told.set(said.starts, { done: told.get(said.starts)?.done ?? 0, started: said.version });
      if (said.done !== undefined) {
        told.set(said.done, { started: said.version, done: said.version });
        doneCalls.add(said.callId);
      }
    }
    ready.resolve();
  })();
  if (moment.afterReady) await ready.promise;
  await delay(moment.ms);
  // Anything else means that the program ended by itself, which it never should.
  expect(await killed(child)).toBe('SIGKILL');
  await heard;
}

async function killed(child: ChildProcess): Promise<string | null> {
  const exit = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
  child.kill('SIGKILL');
  await exit;
  return child.signalCode;
}

/**
 * Files that are neither the last version said to be done nor the one started after it, with the reason. What a
 * file holds now is the version it must hold from then on.
 */
function settle({ root }: TempWorkspace, told: Map<string, Told>): string[] {
  const torn: string[] = [];
  for (const [file, { started, done }] of told) {
    if (done === 0 && !existsSync(join(root, file))) continue;
    try {
      const version = versionOf(file, readFileSync(join(root, file), 'utf8'));
      if (version !== started && version !== done)
        torn.push(`${file} is ${version}, not ${done} or ${started}`);
      told.set(file, { started: version, done: version });
    } catch (error) {
      torn.push(`${file}: ${String(error)}`);
    }
  }
  return torn;
}

function temporariesIn(root: string): string[] {
  return (readdirSync(root, { recursive: true }) as string[]).filter((path) => path.includes('.handrail-'));
}

async function startAndStop({ root, locations }: TempWorkspace): Promise<Recovery> {
  await using runtime = await createRuntime({ workspace: root, locations });
  return runtime.recovery;
}

/** What is wrong with the audit: chains that do not verify, calls without an end, done ones that are told otherwise. */
async function faultsOfAudit({ locations }: TempWorkspace, doneCalls: ReadonlySet<string>): Promise<object> {
  await using audit = openAudit(locations);
  const calls = await audit.list({ limit: 1_000_000 });
  const outcomes = new Map(calls.map(({ call_id, outcome }) => [call_id, outcome]));
  const opened = new Set<string>();
  const closed = new Set<string>();
  for (const line of await audit.lines()) {
    if (line.event === 'opened') opened.add(line.call_id);
    if (line.event === 'closed') closed.add(line.call_id);
  }
  return {
    problems: await audit.problems(),
    neverEnded: [...opened].filter(
      (id) => !closed.has(id) || !['ok', 'interrupted'].includes(outcomes.get(id) ?? ''),
    ),
    doneButNotToldSo: [...doneCalls].filter((id) => outcomes.get(id) !== 'ok'),
    notInIndex: [...opened].filter((id) => !outcomes.has(id)),
  };
}
