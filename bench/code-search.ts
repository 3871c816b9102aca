/**
 * Questions about the source of Linux, answered by the index and by grep for their words. The tree is Debian's package of it,
 * unpacked for the run; `HANDRAIL_BENCH_TREE` names one that is there already, of which a copy is made.
 */
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { rgPath } from '@vscode/ripgrep';
import { createRuntime, type Runtime } from '../src/index.ts';
import { searchSettings } from '../test/support/search-settings.ts';
import { tempWorkspace } from '../test/support/temp-workspace.ts';
import { PARTS, QUESTIONS } from './code-search/questions.ts';
import { sampleOf } from './measure.ts';
import type { Row } from './table.ts';

const run = promisify(execFile);
const PACKAGE = 'linux-source-6.1';
const SHOWN = 10;
const EDITS = 12;
const FILLERS = new Set(
  'a an and are at by for from how in into is it its of on or over the to up when where with'.split(' '),
);

/** All rows about finding code. */
export async function codeSearch(): Promise<Row[]> {
  await using workspace = tempWorkspace();
  const { root } = workspace;
  makeTree(root);
  await using runtime = await createRuntime({
    workspace: root,
    locations: workspace.locations,
    ...searchSettings(workspace),
  });
  const before = process.cpuUsage();
  const build = await timed(() => ask(runtime, 'the first question of all'));
  const { user, system } = process.cpuUsage(before);
  const index = sizeOf(join(workspace.locations.state, 'code-index'));
  return [
    {
      what: 'index, built',
      sample: sampleOf([build.time]),
      note: `${countFiles(root)} files, ${megabytes(sizeOf(root))} MB; ${Math.round((user + system) / 1e6)} s of processor time`,
    },
    {
      what: 'index, on disk',
      figure: {
        value: megabytes(index),
        unit: 'MB',
        beside: { what: 'the tree', value: megabytes(sizeOf(root)) },
        atMost: 1_024,
      },
    },
    ...(await answers(runtime, root)),
    await freshness(runtime, root),
    {
      what: 'memory of the process',
      figure: { value: megabytes(process.resourceUsage().maxRSS * 1_024), unit: 'MB', atMost: 1_024 },
    },
  ];
}

/** The parts of the tree that are asked about, in a folder of their own. */
function makeTree(root: string): void {
  const given = process.env['HANDRAIL_BENCH_TREE'];
  if (given !== undefined) {
    execFileSync('cp', ['-r', ...PARTS.map((part) => join(given, part)), root]);
    return;
  }
  const archive = `/usr/src/${PACKAGE}.tar.xz`;
  if (!existsSync(archive))
    execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', PACKAGE], {
      stdio: 'inherit',
    });
  console.error('unpacking …');
  const members = PARTS.map((part) => `${PACKAGE}/${part}`);
  execFileSync('tar', ['-xf', archive, '-C', root, '--strip-components=1', ...members]);
}

async function answers(runtime: Runtime, root: string): Promise<Row[]> {
  const times = { index: [] as number[], processor: [] as number[], grep: [] as number[] };
  const found = { index: [] as number[], grep: [] as number[] };
  for (const { asks, answers: wanted } of QUESTIONS) {
    const before = process.cpuUsage();
    const byIndex = await timed(() => ask(runtime, asks));
    const { user, system } = process.cpuUsage(before);
    const byGrep = await timed(() => grep(root, asks));
    times.index.push(byIndex.time);
    times.processor.push(user + system);
    times.grep.push(byGrep.time);
    const place = (paths: readonly string[]): number => paths.findIndex((path) => wanted.includes(path));
    found.index.push(place(byIndex.result));
    found.grep.push(place(byGrep.result));
    if (found.index.at(-1) === -1) console.error(`not among the first ${SHOWN}: ${asks}`);
  }
  const among = (first: number, atLeast: number): Row['figure'] => {
    const share = (places: readonly number[]): number =>
      Math.round((places.filter((place) => place >= 0 && place < first).length / places.length) * 100);
    const beside = { what: 'grep for the words', value: share(found.grep) };
    return { value: share(found.index), unit: '%', beside, atLeast };
  };
  const underMicroseconds = 50_000;
  return [
    {
      what: `answer among the first ${SHOWN}`,
      figure: among(SHOWN, 80)!,
      note: `${QUESTIONS.length} questions`,
    },
    { what: 'answer is the first', figure: among(1, 50)! },
    {
      what: 'a question',
      sample: sampleOf(times.index),
      beside: { what: 'rg for the words', sample: sampleOf(times.grep) },
      goal: { underMicroseconds },
    },
    {
      what: 'a question, processor time',
      sample: sampleOf(times.processor),
      goal: { underMicroseconds },
      note: 'of all threads; what else runs does not count',
    },
  ];
}

/** From a change by another program until an answer has it. */
async function freshness(runtime: Runtime, root: string): Promise<Row> {
  const times: number[] = [];
  for (let edit = 0; edit < EDITS; edit++) {
    const word = `zyxomma${'abcdefghijklmnop'[edit]}`;
    const path = `kernel/sched/${word}.c`;
    const { time, result } = await timed(() => {
      writeFileSync(join(root, path), `int ${word}(void)\n{\n\treturn ${edit};\n}\n`);
      return ask(runtime, word);
    });
    if (result[0] !== path) throw new Error(`A change was not found: ${JSON.stringify(result)}`);
    times.push(time);
  }
  const sample = sampleOf(times);
  return { what: 'a question after a change', sample, goal: { underMicroseconds: 1_000_000 } };
}

/** The files of the answer, the best first. */
async function ask(runtime: Runtime, query: string): Promise<string[]> {
  const { reply } = await runtime.call('code_search', { query, max_results: SHOWN });
  const { engine, results } = reply as { engine: string; results: { path: string }[] };
  if (engine !== 'index') throw new Error(`A question was answered by ${engine}.`);
  return results.map(({ path }) => path);
}

/** What grep for the words of a question has to show: the files with most of them, then those with most hits. */
async function grep(root: string, question: string): Promise<string[]> {
  const words = question.split(/[^\w]+/).filter((word) => word !== '' && !FILLERS.has(word));
  const files = new Map<string, { words: number; hits: number }>();
  for (const word of words) {
    const { stdout } = await run(
      rgPath,
      [
        '--no-config',
        '--hidden',
        '--ignore-case',
        '--count-matches',
        '--fixed-strings',
        '--regexp',
        word,
        './',
      ],
      { cwd: root, maxBuffer: 1 << 28 },
    );
    for (const line of stdout.split('\n').filter((one) => one !== '')) {
      const colon = line.lastIndexOf(':');
      const known = files.get(line.slice(2, colon)) ?? { words: 0, hits: 0 };
      files.set(line.slice(2, colon), {
        words: known.words + 1,
        hits: known.hits + Number(line.slice(colon + 1)),
      });
    }
  }
  const best = [...files].sort(([, one], [, other]) => other.words - one.words || other.hits - one.hits);
  return best.slice(0, SHOWN).map(([path]) => path);
}

async function timed<Result>(work: () => Promise<Result>): Promise<{ time: number; result: Result }> {
  const start = performance.now();
  const result = await work();
  return { time: (performance.now() - start) * 1_000, result };
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}

function countFiles(folder: string): number {
  return filesIn(folder).length;
}

function sizeOf(folder: string): number {
  return filesIn(folder).reduce((sum, file) => sum + statSync(file).size, 0);
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1_048_576);
}
