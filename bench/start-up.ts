/** How long the command takes to start, beside a Node that does nothing. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { tempWorkspace } from '../test/support/temp-workspace.ts';
import { compare, type Contender } from './measure.ts';
import type { Row } from './table.ts';

const RUNS = 40;
const LAUNCHER = fileURLToPath(new URL('../bin/handrail.js', import.meta.url));
const EMPTY = ['-e', '0'];
const VERSION = [LAUNCHER, '--version'];
const CALL = [LAUNCHER, 'call', 'read', '{"path":"text.txt"}'];

/** The rows of the start. */
export async function startUp(): Promise<Row[]> {
  await using workspace = tempWorkspace({ 'text.txt': 'some text\n' });
  const { home, state, config } = workspace.locations;
  const env = { HOME: home, XDG_STATE_HOME: state, XDG_CONFIG_HOME: config };
  const start = (args: readonly string[]): string | undefined => problemOf(args, workspace.root, env);
  return [
    await beside('handrail --version', VERSION, start, { atMostTimes: 2 }),
    await beside('handrail call read', CALL, start),
  ];
}

async function beside(
  what: string,
  args: readonly string[],
  start: (args: readonly string[]) => string | undefined,
  goal?: Row['goal'],
): Promise<Row> {
  const problem = start(args);
  if (problem !== undefined) return { what, note: problem };
  const starting = (args: readonly string[]): Contender => ({
    once() {
      const problem = start(args);
      if (problem !== undefined) throw new Error(`${what} worked at first, then failed: ${problem}`);
    },
  });
  const samples = await compare(
    { own: starting(args), empty: starting(EMPTY) },
    { rounds: RUNS, stretchMs: 0 },
  );
  return {
    what,
    sample: samples.own,
    beside: { what: 'node -e 0', sample: samples.empty },
    ...(goal === undefined ? {} : { goal }),
  };
}

/** Runs the Node that runs this; undefined where all went well, and else the line that says why not. */
function problemOf(
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): string | undefined {
  const { status, stderr } = spawnSync(process.execPath, args, { cwd, env, encoding: 'utf8' });
  if (status === 0) return undefined;
  const lines = stderr.split('\n').filter((line) => line.trim() !== '');
  const saying = lines.find((line) => /^(handrail|\w*Error):/.test(line)) ?? lines[0] ?? 'nothing on stderr';
  return `exit ${status}: ${saying}`;
}
