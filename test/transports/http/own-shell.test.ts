/** An agent's own shell that would like to say yes for the person. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect } from 'vitest';
import { type Attack, testAttacks } from '../../security/attack-case.ts';
import { type Serving, serving, TOKEN } from './serving.ts';
import { unguarded } from './unguarded.ts';

/** Says yes to a question at every address of this machine, with the token that the agent's own settings hold. */
function sayYes({ port }: URL, question: string): string {
  const headers = [
    'content-type: application/json',
    `authorization: Bearer ${TOKEN}`,
    `handrail-approval: ${TOKEN}`,
  ];
  const sent = headers.map((header) => `-H '${header}'`).join(' ');
  const path = `/api/approvals/${question}/answer`;
  return [
    'for host in 127.0.0.1 localhost "[::1]" 0.0.0.0 $(hostname -I); do',
    `  curl -s -m 5 -o /dev/null -w '%{http_code} ' ${sent} -d '{"answer":"once"}' "http://$host:${port}${path}"`,
    'done; true',
  ].join('\n');
}

/** Where nothing confines it. */
async function inPlainShell(command: string): Promise<string> {
  return (await promisify(execFile)('sh', ['-c', command])).stdout;
}

/** Runs it as a command that a person allowed, confined as commands are. */
async function inAgentShell({ runtime, questions }: Serving, command: string): Promise<string> {
  const [before] = await questions.pending();
  const call = runtime.call('bash', { command });
  const open = await questions.whenOpen(2);
  await questions.answer(open.find(({ id }) => id !== before!.id)!.id, { answer: 'once' });
  const { outcome, result } = await call;
  expect({ outcome, error: result.error }).toEqual({ outcome: 'ok', error: null });
  return JSON.stringify(result.payload);
}

/** The same words to a server that takes them. */
async function harmed(): Promise<void> {
  await using server = await serving();
  const { question } = await server.askedWrite();
  await using open = await unguarded(server);
  await inPlainShell(sayYes(open.url, question.id));
  expect(await server.questions.pending()).toHaveLength(0);
}

const ATTACKS: readonly Attack[] = [
  {
    id: 'AP-10',
    title: "a yes that a shell outside of any sandbox sends, with the agent's token",
    attack: async () => {
      await using server = await serving();
      const { question } = await server.askedWrite();
      const statuses = (await inPlainShell(sayYes(server.url, question.id))).trim().split(' ');
      // It answers at the names that are its own, and nowhere else.
      expect(new Set(statuses)).toEqual(new Set(['403', '421', '000']));
      expect(await server.questions.pending()).toHaveLength(1);
    },
    bites: harmed,
  },
  {
    id: 'AP-10',
    title: "a yes that the agent's own command sends to the server, with the agent's token",
    attack: async () => {
      await using server = await serving();
      const { question } = await server.askedWrite();
      const said = await inAgentShell(server, sayYes(server.url, question.id));
      // curl ran, and reached nobody.
      expect(said).toMatch(/(000 )+/);
      expect(said).not.toMatch(/\b[1-5]\d\d /);
      expect(await server.questions.pending()).toHaveLength(1);
    },
    bites: harmed,
  },
];

describe('the server', () => {
  testAttacks(ATTACKS);
});
