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

const RUNS = Number(process.env.HANDRAIL_FUZZ_RUNS ?? 200);
const SEED = Number(process.env.HANDRAIL_FUZZ_SEED ?? 1);
const BATCH = 200;

const KINDS = ['whole', 'disputed', 'spliced', 'broken'] as const;
type Kind = (typeof KINDS)[number];

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
  const writes = new Set(
    analysis.files.filter(({ use }) => use === 'write').map(({ path }) => relative(workspace, path)),
  );
  const files = written.filter((path) => !writes.has(path) && !path.endsWith('nohup.out'));
  return [
    ...programs.map(({ words, directory }) => `${directory}: ${words.join(' ')}`),
    ...files.map((path) => `> ${path}`),
  ];
}

type Analyse = typeof analyseCommand;

/** Generated commands that would run unasked, were every part of them allowed; the others prove nothing. */
function clearCases(generator: Generator, kind: Kind, recorder: Recorder): Case[] {
  const cases: Case[] = [];
  while (cases.length < BATCH) {
    const command = generator[kind]();
    const analysis = analyseCommand(command, { root: recorder.workspace(cases.length), directory: '.' });
    if (!isUnclear(analysis)) cases.push({ command, analysis });
  }
  return cases;
}

interface Compared {
  readonly ran: number;
  readonly missed: readonly { command: string; unseen: string[]; seed: number }[];
}

async function compare(
  shell: readonly string[],
  kind: Kind,
  runs: number,
  analyse?: Analyse,
): Promise<Compared> {
  const recorder = new Recorder(mkdtempSync(join(folder, 'shell-')), shell);
  const generator = new Generator(new Random(SEED));
  const missed: Compared['missed'][number][] = [];
  let ran = 0;
  for (let run = 0; run < runs; run += BATCH) {
    const cases = clearCases(generator, kind, recorder);
    const outcomes = await recorder.run(cases.map(({ command }) => command));
    for (const [number, { command, analysis }] of cases.entries()) {
      const root = recorder.workspace(number);
      const found = unseen(analyse?.(command, { root, directory: '.' }) ?? analysis, outcomes[number]!, root);
      if (found.length > 0) missed.push({ command, unseen: found, seed: SEED });
      ran += outcomes[number]!.ran.length;
    }
  }
  return { ran, missed };
}

/** What a filter over the text would see: the words between operators. */
const carelessly: Analyse = (command, place) => ({
  ...analyseCommand(command, place),
  parts: command.split(/[;&|\n]+/).map((text) => ({
    words: text.trim().split(/\s+/),
    text,
    assignments: [],
    directory: undefined,
    onlyReads: false,
  })),
});

describe.concurrent.each(Object.keys(SHELLS))('analyseCommand against %s', (name) => {
  it.each(KINDS)(
    'sees everything that a %s command runs and writes',
    async (kind) => {
      const { ran, missed } = await compare(SHELLS[name]!, kind, RUNS);
      expect(missed).toEqual([]);
      expect(ran).toBeGreaterThan(RUNS / 10);
    },
    // Long runs are asked for.
    Math.max(600_000, RUNS * 5_000),
  );
});

describe('the comparison', () => {
  it('tells a careless reading from a careful one', async () => {
    const { missed } = await compare(SHELLS.dash!, 'whole', BATCH, carelessly);
    expect(missed.length).toBeGreaterThan(BATCH / 10);
  });
});
