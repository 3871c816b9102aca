/** `handrail mcp` beside a Node that does nothing and a well-known peer, all through the same client. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { tempWorkspace } from '../test/support/temp-workspace.ts';
import { compare, type Contender, type Sample } from './measure.ts';
import { McpProcess } from './mcp-process.ts';
import type { Row } from './table.ts';

const STARTS = { rounds: 20, stretchMs: 0 };
const CALLS = { rounds: 10, stretchMs: 300 };
const AHEAD = { atMostTimes: 1, alsoP99: true } as const;
const IN_FLIGHT = 64;
const BATCHES = { rounds: 20, stretchMs: 100 };
/** Of a bare server's reads in the same time, at least this share. */
const SHARE = 0.7;
const MAX_MEGABYTES = 80;
const SETTLE_MS = 1_000;
const MAX_TOKENS = 120;
/** About what tokenizers make of JSON. */
const CHARACTERS_A_TOKEN = 4;
const SMALL = 'a line of text of thirty-one b.\n'.repeat(64);

/** All rows about MCP. */
export async function mcp(): Promise<Row[]> {
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`many/${index}.txt`, 'x']));
  await using workspace = tempWorkspace({ ...many, 'small.txt': SMALL });
  const { home, state, config } = workspace.locations;
  const env = { HOME: home, XDG_STATE_HOME: state, XDG_CONFIG_HOME: config };
  const start = {
    ours: () => McpProcess.handrail(workspace.root, env),
    theirs: () => McpProcess.filesystem(workspace.root),
  };
  return [
    ...(await starts(workspace.root, start)),
    ...(await atRest(workspace.root, start)),
    ...(await calls(workspace.root, start)),
    ...(await manyAtOnce(workspace.root, start)),
  ];
}

type Start = Readonly<Record<'ours' | 'theirs', () => Promise<McpProcess>>>;

async function starts(root: string, start: Start): Promise<Row[]> {
  const small = join(root, 'small.txt');
  const { ours, theirs, empty } = await compare(
    {
      ours: firstResult(start.ours, 'read', small),
      theirs: firstResult(start.theirs, 'read_text_file', small),
      empty: { once: () => once(spawn(process.execPath, ['-e', '0']), 'exit') },
    },
    STARTS,
  );
  const beside = { what: 'node -e 0', sample: empty };
  return [
    { what: 'MCP: start to the first result', sample: ours, beside, goal: { atMostTimes: 2 } },
    { what: 'the same of server-filesystem', sample: theirs, beside },
  ];
}

/** From nothing to the content of a file; that it ends again is not timed. */
function firstResult(start: () => Promise<McpProcess>, tool: string, path: string): Contender {
  let server: McpProcess | undefined;
  return {
    async once() {
      server = await start();
      await server.call(tool, { path });
    },
    async settle() {
      await server?.[Symbol.asyncDispose]();
    },
  };
}

async function calls(root: string, start: Start): Promise<Row[]> {
  await using ours = await start.ours();
  await using theirs = await start.theirs();
  const at = (name: string): string => join(root, name);
  let count = 0;
  const content = (): string => `${++count}\n${SMALL}`;
  const row = async (what: string, own: Contender['once'], other: Contender['once']): Promise<Row> => {
    const samples: Record<'own' | 'other', Sample> = await compare(
      { own: { once: own }, other: { once: other } },
      CALLS,
    );
    return {
      what,
      sample: samples.own,
      beside: { what: 'server-filesystem', sample: samples.other },
      goal: AHEAD,
    };
  };
  return [
    await row(
      'MCP: read of 2 KB',
      () => ours.call('read', { path: at('small.txt') }),
      () => theirs.call('read_text_file', { path: at('small.txt') }),
    ),
    await row(
      'MCP: list of 100 entries',
      () => ours.call('list', { path: at('many') }),
      () => theirs.call('list_directory', { path: at('many') }),
    ),
    await row(
      'MCP: write of 2 KB',
      () => ours.call('write', { path: at('ours.txt'), content: content() }),
      () => theirs.call('write_file', { path: at('theirs.txt'), content: content() }),
    ),
  ];
}

/** Memory after one call, and what a model is told. */
async function atRest(root: string, start: Start): Promise<Row[]> {
  await using ours = await start.ours();
  await using theirs = await start.theirs();
  await ours.call('read', { path: join(root, 'small.txt') });
  await theirs.call('read_text_file', { path: join(root, 'small.txt') });
  const what = 'server-filesystem';
  const tokens = async (server: McpProcess): Promise<number> => {
    const tools = await server.tools();
    return tools.join('').length / CHARACTERS_A_TOKEN / tools.length;
  };
  const [own, other] = [await tokens(ours), await tokens(theirs)];
  await setTimeout(SETTLE_MS);
  return [
    {
      what: 'MCP: memory at rest',
      figure: {
        value: ours.residentMegabytes(),
        unit: 'MB',
        beside: { what, value: theirs.residentMegabytes() },
        atMost: MAX_MEGABYTES,
      },
    },
    {
      what: 'MCP: a tool, as a model is told of it',
      figure: { value: own, unit: 'tokens', beside: { what, value: other }, atMost: MAX_TOKENS },
      note: `${CHARACTERS_A_TOKEN} characters a token`,
    },
  ];
}

/** Many reads sent together, until all are answered. */
async function manyAtOnce(root: string, start: Start): Promise<Row[]> {
  await using own = await start.ours();
  await using peer = await start.theirs();
  await using plain = await McpProcess.bare();
  const path = join(root, 'small.txt');
  const batch = (server: McpProcess, tool: string): Contender => ({
    once: () => Promise.all(Array.from({ length: IN_FLIGHT }, () => server.call(tool, { path }))),
  });
  const { ours, theirs, bare } = await compare(
    { ours: batch(own, 'read'), theirs: batch(peer, 'read_text_file'), bare: batch(plain, 'read') },
    BATCHES,
  );
  const beside = { what: 'a bare server', sample: bare };
  return [
    {
      what: `MCP: ${IN_FLIGHT} reads in flight`,
      sample: ours,
      beside,
      goal: { atMostTimes: 1 / SHARE },
      note: `${perSecond(ours)} reads a second; bare ${perSecond(bare)}, server-filesystem ${perSecond(theirs)}`,
    },
    { what: 'the same of server-filesystem', sample: theirs, beside },
  ];
}

function perSecond({ p50 }: Sample): string {
  return ((IN_FLIGHT * 1e6) / p50).toFixed(0);
}
