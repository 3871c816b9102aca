/** How long the command takes to start, beside a Node that does nothing. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { tempWorkspace } from '../test/support/temp-workspace.ts';
import { compare, type Contender } from './measure.ts';
import type { Row } from './table.ts';

const RUNS = 40;
const LAUNCHER = fileURLToPath(new URL('../bin/handrail.js', import.meta.url));
const BUILT = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));

/** The rows of the start. */
export async function startUp(): Promise<Row[]> {
  if (!existsSync(LAUNCHER)) return [{ what: 'handrail --version', note: 'there is no bin/handrail.js' }];
  await using workspace = tempWorkspace({ 'text.txt': 'some text\n' });
  const { home, state, config } = workspace.locations;
  const env = { HOME: home, XDG_STATE_HOME: state, XDG_CONFIG_HOME: config };
  const isBuilt = existsSync(BUILT);
  const starting = (...args: string[]): Contender => ({ once: () => start(args, workspace.root, env) });
  const samples = await compare(
    {
      node: starting('-e', '0'),
      version: starting(LAUNCHER, '--version'),
      // Unbuilt, it is measured as an empty Node and not shown.
      call: isBuilt ? starting(LAUNCHER, 'call', 'read', '{"path":"text.txt"}') : starting('-e', '0'),
    },
    { rounds: RUNS, stretchMs: 0 },
  );
  const beside = { what: 'node -e 0', sample: samples.node };
  return [
    { what: 'handrail --version', sample: samples.version, beside, goal: { atMostTimes: 2 } },
    isBuilt
      ? { what: 'handrail call read', sample: samples.call, beside }
      : { what: 'handrail call read', note: 'dist/ is not built' },
  ];
}

/** Runs the Node that runs this, and fails where the program does. */
function start(args: readonly string[], cwd: string, env: Readonly<Record<string, string>>): void {
  const { status, stderr } = spawnSync(process.execPath, args, { cwd, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
}
