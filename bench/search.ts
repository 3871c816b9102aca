/**
 * Searches of a large tree beside ripgrep itself. The tree is made for the run; `HANDRAIL_BENCH_TREE` names a real one
 * instead, such as the source of a kernel.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { rgPath } from '@vscode/ripgrep';
import { createRuntime, type Runtime } from '../src/index.ts';
import { tempWorkspace } from '../test/support/temp-workspace.ts';
import { compare, type Contender, type Plan } from './measure.ts';
import type { Row } from './table.ts';

const run = promisify(execFile);
const PLAN: Plan = { rounds: 7, stretchMs: 1 };
const DIRECTORIES = 4_000;
const FILES_OF_A_DIRECTORY = 20;
const WALK = ['--no-config', '--hidden', '--no-require-git', '--glob=!.git'];

/** All rows about searching. */
export async function search(): Promise<Row[]> {
  await using workspace = tempWorkspace();
  const root = process.env['HANDRAIL_BENCH_TREE'] ?? makeTree(workspace.root);
  await using runtime = await createRuntime({ workspace: root, locations: workspace.locations });
  // The first search of all is the one that knows nothing yet.
  return [...(await allFiles(runtime, root)), await rareWord(runtime, root), await manyHits(runtime, root)];
}

/** 80,000 small files with a rare word, a frequent one, and a directory that is ignored. */
function makeTree(root: string): string {
  console.error(`making ${DIRECTORIES * FILES_OF_A_DIRECTORY} files …`);
  writeFileSync(join(root, '.gitignore'), 'ignored-*\n');
  for (let directory = 0; directory < DIRECTORIES; directory++) {
    const folder = join(root, `part-${directory % 40}`, `inner-${directory}`);
    mkdirSync(folder, { recursive: true });
    for (let file = 0; file < FILES_OF_A_DIRECTORY; file++) {
      const lines = Array.from(
        { length: 30 },
        (_, line) => `static int value_${line} = ${directory * file + line};`,
      );
      if (directory % 500 === 0 && file === 0) lines.push('the rare word: schedule_timeout_rare');
      writeFileSync(join(folder, `file-${file}.${file % 4 === 0 ? 'h' : 'c'}`), `${lines.join('\n')}\n`);
    }
  }
  return root;
}

async function rareWord(runtime: Runtime, root: string): Promise<Row> {
  const pattern = 'schedule_timeout_[a-z]+';
  const samples = await compare(
    {
      call: calling(runtime, 'grep', { pattern, max_matches: 10_000 }),
      plain: ripgrep(root, ['--line-number', `--regexp=${pattern}`, './']),
    },
    PLAN,
  );
  const beside = { what: 'rg', sample: samples.plain };
  return { what: 'grep for a rare word', sample: samples.call, beside, goal: { atMostTimes: 1.1 } };
}

async function manyHits(runtime: Runtime, root: string): Promise<Row> {
  const samples = await compare(
    {
      call: calling(runtime, 'grep', { pattern: 'static', max_matches: 100 }),
      plain: ripgrep(root, ['--line-number', '--regexp=static', './']),
    },
    PLAN,
  );
  const beside = { what: 'rg, all hits', sample: samples.plain };
  const what = 'grep with 100 of very many hits';
  return { what, sample: samples.call, beside, goal: { atMostTimes: 0.05 } };
}

async function allFiles(runtime: Runtime, root: string): Promise<Row[]> {
  const first = performance.now();
  await call(runtime, 'glob', { pattern: '**/*.h' });
  const cold = (performance.now() - first) * 1_000;
  const samples = await compare(
    {
      call: calling(runtime, 'glob', { pattern: '**/*.h' }),
      plain: ripgrep(root, ['--files', './']),
    },
    PLAN,
  );
  const beside = { what: 'rg --files', sample: samples.plain };
  return [
    {
      what: 'glob, the first',
      sample: { min: cold, p50: cold, p99: cold },
      beside,
      goal: { atMostTimes: 1.1 },
    },
    { what: 'glob, again', sample: samples.call, beside, goal: { atMostTimes: 0.5 } },
  ];
}

function calling(runtime: Runtime, tool: string, args: object): Contender {
  return { once: () => call(runtime, tool, args), settle: () => runtime.flush() };
}

async function call(runtime: Runtime, tool: string, args: object): Promise<void> {
  const { outcome, result } = await runtime.call(tool, args);
  if (outcome !== 'ok') throw new Error(`A measured call ended as ${outcome}: ${result.error?.message}`);
}

function ripgrep(root: string, args: readonly string[]): Contender {
  return {
    once: () => run(rgPath, [...WALK, ...args], { cwd: root, maxBuffer: 1 << 30, encoding: 'buffer' }),
  };
}
