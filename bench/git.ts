/**
 * Status and diff of a large repository beside git itself. The repository is made for the run; `HANDRAIL_BENCH_REPOSITORY`
 * names a real one instead.
 */
import { execFile } from 'node:child_process';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createRuntime, type Runtime } from '../src/index.ts';
import { tempRepository } from '../test/support/repository.ts';
import { compare, type Contender, type Plan } from './measure.ts';
import type { Row } from './table.ts';

const run = promisify(execFile);
const PLAN: Plan = { rounds: 9, stretchMs: 1 };
const FOLDERS = 2_500;
const FILES_OF_A_FOLDER = 40;
const CHANGED = 50;

/** All rows about git. */
export async function git(): Promise<Row[]> {
  await using repository = tempRepository();
  const root = process.env['HANDRAIL_BENCH_REPOSITORY'] ?? fill(repository.root);
  if (root === repository.root) {
    repository.commit('all');
    change(root);
    // So that the index has nothing to be written about.
    repository.git('status');
  }
  await using runtime = await createRuntime({ workspace: root, locations: repository.locations });
  return [
    await beside(runtime, root, 'git_status', {}, ['status', '--porcelain=v2', '--branch', '-z']),
    await beside(runtime, root, 'git_diff', {}, ['diff']),
    await beside(runtime, root, 'git_log', { limit: 20 }, ['log', '-20']),
  ];
}

function fill(root: string): string {
  console.error(`making ${FOLDERS * FILES_OF_A_FOLDER} files …`);
  for (let folder = 0; folder < FOLDERS; folder++) {
    const path = join(root, `part-${folder % 50}`, `inner-${folder}`);
    mkdirSync(path, { recursive: true });
    for (let file = 0; file < FILES_OF_A_FOLDER; file++)
      writeFileSync(join(path, `file-${file}.c`), `int value = ${folder * file};\nint other = ${file};\n`);
  }
  return root;
}

function change(root: string): void {
  for (let folder = 0; folder < CHANGED; folder++)
    appendFileSync(join(root, `part-${folder % 50}`, `inner-${folder}`, 'file-1.c'), 'int more = 1;\n');
}

async function beside(
  runtime: Runtime,
  root: string,
  tool: string,
  args: object,
  words: readonly string[],
): Promise<Row> {
  const samples = await compare({ call: calling(runtime, tool, args), plain: plainly(root, words) }, PLAN);
  const goal = tool === 'git_log' ? {} : { goal: { atMostTimes: 1.3 } };
  return {
    what: tool,
    sample: samples.call,
    beside: { what: `git ${words[0]}`, sample: samples.plain },
    ...goal,
  };
}

function calling(runtime: Runtime, tool: string, args: object): Contender {
  return {
    async once() {
      const { outcome } = await runtime.call(tool, args);
      if (outcome !== 'ok') throw new Error(`${tool} ended with ${outcome}.`);
    },
  };
}

function plainly(root: string, words: readonly string[]): Contender {
  return { once: () => run('git', [...words], { cwd: root, maxBuffer: 512 * 1024 * 1024 }) };
}
