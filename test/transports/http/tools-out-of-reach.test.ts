/** Tools that an agent does not have, called all the same: what it is shown is no defence, so each call is judged when it comes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { handrailClient } from '../../../src/client/index.ts';
import { defineDialect } from '../../../src/dialects/dialect.ts';
import { dialects } from '../../../src/dialects/index.ts';
import type { Dialect, Rule } from '../../../src/index.ts';
import { testAttacks } from '../../security/attack-case.ts';
import { shared } from '../../support/shared.ts';
import { tempWorkspace, type TempWorkspace } from '../../support/temp-workspace.ts';
import { socketServer, type SocketServer, TOKEN } from '../websocket/socket-server.ts';

/** A tool as it is called. */
interface Called {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly dialect: string;
}

const WRITE = { path: 'kept.txt', content: 'harmed\n' };
const DENY: Rule = { action: 'deny', permission: 'fs.write', path: 'kept.txt' };

const own = dialects().find(({ name }) => name === 'handrail')!;
/** Its `write` has an earlier version, which called the content otherwise. */
const AGED: Dialect = defineDialect({
  name: 'aged',
  extends: own,
  tools: [
    {
      ...own.tools.get('write')!,
      version: '2.0.0',
      older: [{ major: 1, change: '`text` is `content`.', adapt: fromText }],
    },
  ],
});

function fromText(args: unknown): unknown {
  const { text, ...rest } = args as { readonly text: string };
  return { ...rest, content: text };
}

interface Row {
  readonly title: string;
  readonly calls: readonly Called[];
  /** The agent, which a WebSocket does not name. */
  readonly agent?: { readonly name: string; readonly tools: Record<string, boolean> };
  readonly codes: readonly string[];
}

const ROWS: readonly Row[] = [
  {
    title: 'a tool that the agent is not shown',
    calls: ['write', 'write@1', 'write@1.0.0'].map((tool) => ({ tool, args: WRITE, dialect: 'handrail' })),
    agent: { name: 'reviewer', tools: { write: false } },
    codes: ['E_NO_TOOL'],
  },
  {
    title: 'what a rule denies, by each tool that does it',
    calls: [
      { tool: 'write', args: WRITE, dialect: 'handrail' },
      { tool: 'write', args: WRITE, dialect: 'coder' },
      { tool: 'write_file', args: WRITE, dialect: 'codelab' },
      { tool: 'write_file', args: WRITE, dialect: 'codelab@1.0' },
    ],
    codes: ['E_POLICY_DENIED', 'PERMISSION_DENIED'],
  },
  {
    title: 'what a rule denies, by an earlier version of its tool',
    calls: ['write@1', 'write@1.0.0'].map((tool) => ({
      tool,
      args: { path: 'kept.txt', text: 'harmed\n' },
      dialect: 'aged',
    })),
    codes: ['E_POLICY_DENIED'],
  },
  {
    title: 'the name of another dialect, of an operation, or written otherwise',
    calls: [
      { tool: 'write', args: WRITE, dialect: 'codelab' },
      ...['write_file', 'fs.write', 'Write', 'write ', 'WRITE', 'handrail.write', 'handrail/write'].map(
        (tool) => ({ tool, args: WRITE, dialect: 'handrail' }),
      ),
    ],
    codes: ['E_NO_TOOL', 'TOOL_NOT_FOUND'],
  },
  {
    title: 'a version that is not served',
    calls: ['write@0', 'write@9', 'write@', 'write@1@1', 'write@x'].map((tool) => ({
      tool,
      args: WRITE,
      dialect: 'handrail',
    })),
    codes: ['E_NO_TOOL', 'E_VERSION'],
  },
];

let workspace: TempWorkspace;
let server: SocketServer;
shared(async (stack) => {
  workspace = stack.use(tempWorkspace({ 'kept.txt': 'kept\n' }));
  server = stack.use(await socketServer(workspace, { mode: 'auto', rules: [DENY], dialects: [AGED] }));
});

const contentOf = ({ root }: TempWorkspace, path: string): string => readFileSync(join(root, path), 'utf8');
let sessions = 0;

/** How a call ends, by every way that leads to the server. */
async function endsOf(called: Called, agent: Row['agent']): Promise<unknown[]> {
  const { tool, args, dialect } = called;
  const client = handrailClient({ url: `http://127.0.0.1:${server.port}`, token: TOKEN });
  const session = `ses_${sessions++}`;
  await client.openSession({ id: session, dialect, ...(agent === undefined ? {} : { agent }) });
  const made = await client.makeCall({ tool, args, session });
  const [name, version] = tool.split(/@(.*)/);
  const versioned = version ? await client.makeCall({ tool: name!, version, args, session }) : made;
  const request = { tool_call_id: '1', name: tool, args };
  const executed = await client.executeCall({ request, session });
  const ends = [made, versioned, executed].map(({ result }) => result.error?.code);
  if (agent !== undefined) return ends;
  const socket = await server.connect(`/ws/${session}?dialect=${encodeURIComponent(dialect)}`);
  const { error } = (await socket.call('1', tool, args)) as { readonly error?: { readonly code: string } };
  socket.cut();
  return [...ends, error?.code];
}

/** Runs whatever was meant: by any name it ever had, in any dialect, whoever asks. */
async function runObligingly({ tool, args, dialect }: Called): Promise<string> {
  await using open = tempWorkspace({ 'kept.txt': 'kept\n' });
  const runtime = await open.runtime({ mode: 'auto' });
  const meant = tool
    .split('@')[0]!
    .split('/')
    .at(-1)!
    .trim()
    .toLowerCase()
    .replace(/^(fs|handrail)\./, '');
  const speaking = [dialect, 'handrail', 'codelab'].map((name) =>
    dialects().find((one) => one.name === name && one.tools.has(meant)),
  );
  const session = await runtime.openSession({ dialect: speaking.find((one) => one !== undefined)!.name });
  await runtime.call(meant, 'text' in args ? fromText(args) : args, { session });
  return contentOf(open, 'kept.txt');
}

async function expectRefused({ calls, agent, codes }: Row): Promise<void> {
  for (const called of calls)
    for (const code of await endsOf(called, agent))
      expect({ called, code }).toEqual({ called, code: expect.toBeOneOf([...codes]) });
  expect(contentOf(workspace, 'kept.txt')).toBe('kept\n');
}

async function expectHarm({ calls }: Row): Promise<void> {
  for (const called of calls)
    expect({ called, content: await runObligingly(called) }).toEqual({ called, content: 'harmed\n' });
}

describe('the server', () => {
  testAttacks(
    ROWS.map((row) => ({
      id: 'WB-07',
      title: row.title,
      attack: () => expectRefused(row),
      bites: () => expectHarm(row),
    })),
  );
});
