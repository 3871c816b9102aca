/** A command that does nothing: plain, under bubblewrap alone with the same profile, through ours, and through a peer's. */
import { spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { bubblewrapSandbox } from '../src/host/local/sandbox/bubblewrap-sandbox.ts';
import { controlGroups } from '../src/host/local/sandbox/control-groups.ts';
import { privateFolders } from '../src/host/local/sandbox/private-folders.ts';
import { pinRoot } from '../src/host/local/root.ts';
import type { Commands } from '../src/host/ports.ts';
import { commandsIn, CONFINED } from '../test/support/commands.ts';
import { tempWorkspace, type TempWorkspace } from '../test/support/temp-workspace.ts';
import { installPeer } from './install-peer.ts';
import { compare, type Contender, nextTurn, type Plan, type Sample, sampleOf } from './measure.ts';
import type { Row } from './table.ts';

const PLAN: Plan = { rounds: 30, stretchMs: 1 };
const AT_ONCE = 64;
const FLOOD_BYTES = 500_000_000;
const NOT_THERE: Contender = { once: () => {} };
const SHELL = ['/bin/sh', '-lc', 'true'];

/** All rows about commands. */
export async function commands(): Promise<Row[]> {
  await using workspace = tempWorkspace({ '.git/config': '[core]\n', '.git/HEAD': 'ref: refs/heads/main\n' });
  using ours = commandsIn(workspace);
  const bare = await bareBubblewrap(workspace);
  const plain = (): Promise<unknown> => running(SHELL, ['ignore', 'pipe', 'pipe']);
  const runtime = await sandboxRuntime(workspace.root);
  const { peer, ...samples } = await compare(
    {
      plain: { once: plain },
      bare: { once: bare },
      ours: { once: () => run(ours) },
      peer: runtime ?? NOT_THERE,
    },
    PLAN,
  );
  const overhead = ({ min }: Sample): string =>
    `${((min - samples.plain.min) / 1_000).toFixed(1)} ms over plain`;
  const beside = { what: 'bwrap, same profile', sample: samples.bare };
  const what = 'the same of sandbox-runtime';
  return [
    {
      what: 'sh -lc true',
      sample: samples.ours,
      beside,
      goal: { atMostTimes: 1.3 },
      note: overhead(samples.ours),
    },
    { what: 'the same, plain', sample: samples.plain },
    runtime === undefined
      ? { what, note: 'it needs socat and rg' }
      : { what, sample: peer, beside, note: overhead(peer) },
    await manyAtOnce(ours, bare),
    await flood(ours),
  ];
}

function run(runner: Commands, request: Partial<Parameters<Commands['run']>[0]> = {}): Promise<unknown> {
  return runner.run({
    program: SHELL[0]!,
    args: SHELL.slice(1),
    directory: '.',
    env: {},
    timeoutMs: 60_000,
    maxOutputBytes: 100_000,
    keep: 'head-and-tail',
    signal: new AbortController().signal,
    confinement: CONFINED,
    ...request,
  });
}

/** The arguments that ours gives bubblewrap, with the command in place of the shell that starts it. */
async function bareBubblewrap(workspace: TempWorkspace): Promise<() => Promise<unknown>> {
  const { home, state, config } = workspace.locations;
  const root = pinRoot(workspace.root, home);
  const sandbox = await bubblewrapSandbox('/usr/bin/bwrap', {
    root,
    folders: privateFolders(state, workspace.root),
    groups: controlGroups(),
    home,
    own: [state, config],
    environment: { PATH: process.env['PATH'] },
  });
  if ('whyNot' in sandbox) throw new Error(`bubblewrap does not work here: ${sandbox.whyNot}`);
  const command = {
    program: 'true',
    args: [],
    directory: '.',
    env: {},
    confinement: CONFINED,
    hasTerminal: false,
  };
  using prepared = sandbox.prepare(command);
  const { program, args } = prepared.process;
  const all = [program, ...args.slice(0, args.indexOf('--') + 1), ...SHELL];
  const filter = join(state, 'sandbox', `filter.${process.arch}`);
  return async () => {
    const descriptor = openSync(filter, 'r');
    await running(all, ['ignore', 'pipe', 'pipe', descriptor, 'pipe']);
    closeSync(descriptor);
  };
}

async function running([program = '', ...args]: readonly string[], stdio: StdioOptions): Promise<void> {
  const child = spawn(program, args, { stdio, env: { PATH: '/usr/bin:/bin' }, cwd: '/', detached: true });
  for (const stream of child.stdio) if (stream instanceof Readable) stream.resume();
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`A measured command ended with ${code}.`);
}

interface SandboxManager {
  initialize(settings: object): Promise<void>;
  wrapWithSandbox(command: string): Promise<string>;
}

async function sandboxRuntime(root: string): Promise<Contender | undefined> {
  try {
    const folder = await installPeer('@anthropic-ai/sandbox-runtime', '0.0.83');
    const { SandboxManager: manager } = (await import(pathToFileURL(join(folder, 'dist/index.js')).href)) as {
      SandboxManager: SandboxManager;
    };
    await manager.initialize({
      network: { allowedDomains: [], deniedDomains: [] },
      filesystem: { denyRead: [], allowWrite: [root], denyWrite: [] },
    });
    const once = async (): Promise<void> =>
      running(['/bin/sh', '-c', await manager.wrapWithSandbox('sh -lc true')], ['ignore', 'pipe', 'pipe']);
    await once();
    return { once };
  } catch {
    return undefined;
  }
}

async function manyAtOnce(ours: Commands, bare: () => Promise<unknown>): Promise<Row> {
  const all = (one: () => Promise<unknown>): Contender => ({
    once: () => Promise.all(Array.from({ length: AT_ONCE }, one)),
  });
  const samples = await compare({ ours: all(() => run(ours)), bare: all(bare) }, { rounds: 3, stretchMs: 1 });
  const beside = { what: 'bwrap, same profile', sample: samples.bare };
  return { what: `${AT_ONCE} at once`, sample: samples.ours, beside, goal: { atMostTimes: 1.3 } };
}

async function flood(ours: Commands): Promise<Row> {
  await nextTurn();
  const before = process.memoryUsage.rss();
  let most = before;
  const start = performance.now();
  await run(ours, {
    args: ['-c', `head -c ${FLOOD_BYTES} /dev/zero`],
    onOutput: () => void (most = Math.max(most, process.memoryUsage.rss())),
  });
  const sample = sampleOf([(performance.now() - start) * 1_000]);
  const note = `${((most - before) / 1_048_576).toFixed(0)} MB more memory`;
  return { what: '500 MB of output', sample, note };
}
