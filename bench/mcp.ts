/** `handrail mcp` beside a Node that does nothing and a well-known peer, all through the same client. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { tempWorkspace } from '../test/support/temp-workspace.ts';
import { compare, type Contender, type Sample } from './measure.ts';
import { McpProcess } from './mcp-process.ts';
import type { Row } from './table.ts';

const STARTS = { rounds: 20, stretchMs: 0 };
const CALLS = { rounds: 10, stretchMs: 300 };
const AHEAD = { atMostTimes: 1 };
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
  return [...(await starts(workspace.root, start)), ...(await calls(workspace.root, start))];
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
