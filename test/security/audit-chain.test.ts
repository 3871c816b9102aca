/** The audit is complete and can't be changed unnoticed: edited, cut or reordered lines are found, and no act goes without a line. */
import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openAudit } from '../../src/cli/open-audit.ts';
import { createRuntime } from '../../src/index.ts';
import type { ChainReport } from '../../src/journal/verify.ts';
import { handrail } from '../support/command-line.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';
import { ALIVE, type Attack, testAttacks } from './attack-case.ts';
import { auditLines, chainFiles, closedRecords } from './evidence.ts';
import { commandLine } from './surfaces.ts';
import { rawJsonLog } from './undefended.ts';

const CALLS = 5;
const LINES = 2 * CALLS;

/** Five calls on record, and nobody writing any more. */
async function recordCalls({ root, locations }: TempWorkspace): Promise<void> {
  await using runtime = await createRuntime({ workspace: root, locations });
  for (let call = 0; call < CALLS; call++) await runtime.call('read', { path: 'alive.txt', limit: call + 1 });
}

async function verify({ locations }: TempWorkspace): Promise<ChainReport[]> {
  await using audit = openAudit(locations);
  return await audit.reader.verify();
}

/** Lines bound together again from one on, as somebody would who knows how the chain is made. */
function rebind(lines: readonly string[], from: number): string[] {
  const bound = [...lines];
  for (let index = from; index < bound.length; index++) {
    const { prev: _, seq: __, ...record } = JSON.parse(bound[index]!) as Record<string, unknown>;
    const prev =
      index === 0 ? (JSON.parse(lines[0]!) as { prev: string }).prev : hash('sha256', bound[index - 1]!);
    bound[index] = JSON.stringify({ seq: index + 1, prev, ...record });
  }
  return bound;
}

const whitewash = (line: string): string => line.replace('"limit":', '"LIMIT":');

interface Tampering {
  readonly what: string;
  readonly change: (lines: readonly string[]) => readonly string[];
  /** The first line that does not hold, and why. */
  readonly found: { readonly line: number; readonly what: string };
}

const TAMPERING: readonly Tampering[] = [
  {
    what: 'an edited line',
    change: (lines) => lines.with(3, whitewash(lines[3]!)),
    found: { line: 5, what: 'the line before it was changed' },
  },
  {
    what: 'an edited first line',
    change: (lines) => lines.with(0, whitewash(lines[0]!)),
    found: { line: 2, what: 'the line before it was changed' },
  },
  {
    what: 'an edited last line',
    change: (lines) => lines.with(LINES - 1, whitewash(lines[LINES - 1]!)),
    found: { line: LINES, what: 'the line was changed' },
  },
  {
    what: 'a deleted line',
    change: (lines) => lines.toSpliced(3, 1),
    found: { line: 4, what: 'line 4 is missing or out of order' },
  },
  {
    what: 'a deleted first line',
    change: (lines) => lines.slice(1),
    found: { line: 1, what: 'line 1 is missing or out of order' },
  },
  {
    what: 'an inserted line',
    change: (lines) => lines.toSpliced(4, 0, lines[1]!),
    found: { line: 5, what: 'line 5 is missing or out of order' },
  },
  {
    what: 'an inserted line with the right number',
    change: (lines) => lines.toSpliced(4, 0, lines[4]!.replace('"limit":3', '"limit":7')),
    found: { line: 6, what: 'line 6 is missing or out of order' },
  },
  {
    what: 'two lines in each other’s place',
    change: (lines) => lines.with(3, lines[4]!).with(4, lines[3]!),
    found: { line: 4, what: 'line 4 is missing or out of order' },
  },
  {
    what: 'a tail cut off',
    change: (lines) => lines.slice(0, -2),
    found: { line: LINES - 1, what: `the end is missing: ${LINES} lines were written` },
  },
  {
    what: 'everything cut off',
    change: () => [],
    found: { line: 1, what: `the end is missing: ${LINES} lines were written` },
  },
  {
    what: 'a line of something else',
    change: (lines) => lines.with(6, '{"seq":7}'),
    found: { line: 7, what: 'the line is not an audit record' },
  },
  {
    what: 'an edited line, and all that follow bound to it again',
    change: (lines) => rebind(lines.with(3, whitewash(lines[3]!)), 4),
    found: { line: LINES, what: 'the line was changed' },
  },
  {
    what: 'a call taken out, and all that follow bound together again',
    change: (lines) => rebind(lines.toSpliced(2, 2), 2),
    found: { line: LINES - 1, what: `the end is missing: ${LINES} lines were written` },
  },
];

function tamper(file: string, change: Tampering['change']): void {
  const lines = change(readFileSync(file, 'utf8').split('\n').slice(0, -1));
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
}

function tampered({ what, change, found }: Tampering): Attack {
  return {
    id: 'AU-03',
    title: what,
    attack: async () => {
      await using workspace = tempWorkspace(ALIVE);
      await recordCalls(workspace);
      const [file = ''] = chainFiles(workspace.locations.state);
      expect(await verify(workspace)).toEqual([{ chain: expect.any(String), lines: LINES }]);
      tamper(file, change);
      expect(await verify(workspace)).toEqual([
        { chain: expect.any(String), lines: found.line - 1, problem: { ...found, kind: 'changed' } },
      ]);
      // The next process neither hides it nor stops working over it.
      await recordCalls(workspace);
      const reports = await verify(workspace);
      expect(reports.filter(({ problem }) => problem !== undefined)).toHaveLength(1);
    },
    bites: async () => {
      await using workspace = tempWorkspace();
      const log = rawJsonLog(join(workspace.outside, 'log'));
      for (let index = 0; index < LINES; index++)
        log.write({ seq: index + 1, prev: '', args: { limit: index } });
      tamper(join(workspace.outside, 'log'), change);
      expect(log.isIntact()).toBe(true);
    },
  };
}

describe('the chain', () => {
  testAttacks(TAMPERING.map(tampered));

  it.each([
    [
      'half a line at its end',
      (file: string) => appendFileSync(file, '{"seq":11'),
      { line: LINES + 1, what: 'the line is cut off', kind: 'torn' },
    ],
    [
      'no file any more',
      (file: string) => rmSync(file),
      { line: 1, what: 'the file is missing', kind: 'changed' },
    ],
    [
      'another name',
      (file: string) => renameSync(file, join(dirname(file), 'chain_other.jsonl')),
      { line: 1, what: 'the file is missing', kind: 'changed' },
    ],
  ])('AU-03 is found with %s', async (_what, change, found) => {
    await using workspace = tempWorkspace(ALIVE);
    await recordCalls(workspace);
    change(chainFiles(workspace.locations.state)[0]!);
    expect((await verify(workspace))[0]?.problem).toEqual(found);
  });

  it('AU-03 is told with its first bad line on the command line', async () => {
    await using workspace = tempWorkspace(ALIVE);
    const surface = commandLine(workspace);
    for (let call = 0; call < 2; call++)
      await surface.call({ dialect: 'coder', tool: 'read', args: { path: 'alive.txt' } });
    expect(await handrail(workspace, ['audit', 'verify'])).toMatchObject({ exitCode: 0 });
    tamper(chainFiles(surface.state)[0]!, (lines) => lines.toSpliced(1, 1));
    const { stdout, exitCode } = await handrail(workspace, ['audit', 'verify']);
    expect({ stdout, exitCode }).toEqual({
      stdout: expect.stringContaining('line 2: line 2 is missing'),
      exitCode: 1,
    });
  });
});

const fixture = (name: string): string => join(import.meta.dirname, 'fixtures', name);

function killAt({ root, locations }: TempWorkspace, moment: string): void {
  const args = [fixture('killed-call.ts'), root, locations.state, locations.home, moment];
  expect(spawnSync(process.execPath, args)).toMatchObject({ signal: 'SIGKILL' });
}

/** The moments a process can die at, and what it has told and done until then. */
const DEATHS = [
  { moment: 'asked', events: ['opened'], files: ['alive.txt'] },
  { moment: 'before', events: ['opened', 'decided'], files: ['alive.txt'] },
  { moment: 'after', events: ['opened', 'decided'], files: ['alive.txt', 'new.txt'] },
];

function death({ moment, events, files }: (typeof DEATHS)[number]): Attack {
  return {
    id: 'AU-04',
    title: `a process that is killed: ${moment}`,
    attack: async () => {
      await using workspace = tempWorkspace(ALIVE);
      const { state } = workspace.locations;
      killAt(workspace, moment);
      expect(auditLines(state).map(({ event }) => event)).toEqual(events);
      expect(readdirSync(workspace.root)).toEqual(files);
      const runtime = await workspace.runtime();
      expect(runtime.recovery).toMatchObject({ interrupted: 1, damaged: [] });
      expect(closedRecords(state)).toEqual([
        expect.objectContaining({ name: 'change', ok: false, outcome: 'interrupted' }),
      ]);
      expect((await verify(workspace)).filter(({ problem }) => problem !== undefined)).toEqual([]);
      expect(await runtime.call('read', { path: 'alive.txt' })).toMatchObject({ outcome: 'ok' });
    },
    bites: async () => {
      await using workspace = tempWorkspace();
      const act = `fs.writeFileSync('new.txt', ''); process.kill(process.pid, 'SIGKILL'); fs.appendFileSync('log', 'written');`;
      spawnSync(process.execPath, ['-e', act], { cwd: workspace.root });
      expect(readdirSync(workspace.root)).toEqual(['new.txt']);
    },
  };
}

const FULL_DISK: Attack = {
  id: 'AU-04',
  title: 'a disk that is full',
  attack: async () => {
    await using workspace = tempWorkspace(ALIVE);
    const { root, locations } = workspace;
    // A limit on file sizes holds for root too, unlike permissions.
    const command = 'ulimit -f 2048; exec "$@"';
    const args = [process.execPath, fixture('full-audit.ts'), root, locations.state, locations.home];
    const { stdout } = spawnSync('/bin/sh', ['-c', command, 'sh', ...args], { encoding: 'utf8' });
    const refused = 'The audit can not be written, so nothing is run.';
    expect(JSON.parse(stdout)).toEqual({ write: refused, delete: refused, read: refused });
    expect(readdirSync(root)).toEqual(['alive.txt']);
    const runtime = await workspace.runtime();
    expect((await verify(workspace)).filter(({ problem }) => problem !== undefined)).toEqual([]);
    expect(await runtime.call('read', { path: 'alive.txt' })).toMatchObject({ outcome: 'ok' });
  },
  bites: async () => {
    await using workspace = tempWorkspace();
    const act = `fs.writeFileSync('new.txt', ''); try { fs.appendFileSync('log', 'x'.repeat(9000)); } catch {}`;
    spawnSync('/bin/sh', ['-c', 'ulimit -f 1; exec "$@"', 'sh', process.execPath, '-e', act], {
      cwd: workspace.root,
    });
    expect(existsSync(join(workspace.root, 'new.txt'))).toBe(true);
  },
};

describe('acts and their lines', () => {
  testAttacks([...DEATHS.map(death), FULL_DISK]);
});
