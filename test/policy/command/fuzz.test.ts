/**
 * What real shells run, held against what the analysis saw. `HANDRAIL_FUZZ_RUNS` says how many commands a shell and kind,
 * `HANDRAIL_FUZZ_SEED` which ones.
 */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { analyseCommand } from '../../../src/policy/command/analyse.ts';
import type { CommandAnalysis, CommandPart } from '../../../src/policy/command/command-analysis.ts';
import { Generator } from './fuzz/generate.ts';
import { Random } from './fuzz/random.ts';
import { programPath, Recorder, type Outcome, type Recorded } from './fuzz/record.ts';

const RUNS = Number(process.env.HANDRAIL_FUZZ_RUNS ?? 400);
const SEED = Number(process.env.HANDRAIL_FUZZ_SEED ?? 1);
const BATCH = 200;

const SHELLS: Readonly<Record<string, readonly string[]>> = {
  dash: [programPath('dash')],
  bash: [programPath('bash')],
  'bash as sh': [programPath('bash'), '--posix'],
};

let folder = '';
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'fuzz-')));
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Case {
  readonly command: string;
  readonly analysis: CommandAnalysis;
}

/** Nobody would let such a command run unasked, so that it may do what it likes. */
function isUnclear({ unclear, parts }: CommandAnalysis): boolean {
  return unclear.length > 0 || parts.some((part) => part.unclear !== undefined);
}

function couldBe({ words, text, directory }: CommandPart, ran: Recorded): boolean {
  if (directory !== undefined && directory !== ran.directory) return false;
  const open = words.findIndex(
    (word) => word === undefined || (/[*?[]/.test(word) && !text.includes(`'${word}'`)),
  );
  const known = open === -1 ? words : words.slice(0, open);
  return (
    (open !== -1 || words.length === ran.words.length) && known.every((word, at) => word === ran.words[at])
  );
}

/** What happened without being seen. */
function unseen(analysis: CommandAnalysis, { ran, written }: Outcome, workspace: string): string[] {
  const programs = ran.filter((one) => !analysis.parts.some((part) => couldBe(part, one)));
  const writes = analysis.files
    .filter(({ use }) => use === 'write')
    .map(({ path }) => relative(workspace, path));
  const files = written.filter((path) => !writes.includes(path) && !path.endsWith('nohup.out'));
  return [
    ...programs.map(({ words, directory }) => `${directory}: ${words.join(' ')}`),
    ...files.map((path) => `> ${path}`),
  ];
}

/** Generated commands that would run unasked, were every part of them allowed; the others prove nothing. */
function clearCommands(generator: Generator, kind: 'script' | 'broken', recorder: Recorder): Case[] {
  const cases: Case[] = [];
  while (cases.length < BATCH) {
    const command = generator[kind]();
    const analysis = analyseCommand(command, { root: recorder.workspace(cases.length), directory: '.' });
    if (!isUnclear(analysis)) cases.push({ command, analysis });
  }
  return cases;
}

describe.each(Object.keys(SHELLS))('analyseCommand against %s', (name) => {
  it.each(['script', 'broken'] as const)(
    'sees everything that a generated %s runs and writes',
    async (kind) => {
      const recorder = new Recorder(mkdtempSync(join(folder, 'shell-')), SHELLS[name]!);
      const generator = new Generator(new Random(SEED));
      const missed: { command: string; unseen: string[]; seed: number }[] = [];
      let ran = 0;
      for (let run = 0; run < RUNS; run += BATCH) {
        const cases = clearCommands(generator, kind, recorder);
        const outcomes = await recorder.run(cases.map(({ command }) => command));
        for (const [number, { command, analysis }] of cases.entries()) {
          ran += outcomes[number]!.ran.length;
          const found = unseen(analysis, outcomes[number]!, recorder.workspace(number));
          if (found.length > 0) missed.push({ command, unseen: found, seed: SEED });
        }
      }
      expect(missed).toEqual([]);
      expect(ran).toBeGreaterThan(RUNS / 10);
    },
    // Long runs are asked for.
    Math.max(120_000, RUNS * 500),
  );
});
