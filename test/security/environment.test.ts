/** No secret of the runtime reaches a command, and no variable or file of a workspace reaches the runtime. */
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { runCommands, type User, whyNotAs } from '../host/local/sandbox/fixtures/commands-in-a-child.ts';
import { environmentOf, handrail } from '../support/command-line.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';
import { ALIVE, type Attack, expectHarmless, testAttacks } from './attack-case.ts';
import { verdictOn } from './command-attack.ts';
import { ALLOW_ALL, bash, COMMAND_TOOLS, commandOn, harmsOutside, runUndefended } from './commanding.ts';
import { snapshotOutside } from './evidence.ts';
import { library } from './surfaces.ts';

const CANARY = 'Canary51d0c7aa';

/** Secrets as they stand in the environment that Handrail is started in. */
const SECRETS: Readonly<Record<string, string>> = Object.fromEntries(
  [
    'FAKE_TOKEN',
    'X_API_KEY',
    'AWS_SECRET_ACCESS_KEY',
    'DB_PASSWORD',
    'DATABASE_URL',
    'EDITION',
    'ssh_auth',
  ].map((name) => [name, `${CANARY}-${name}`]),
);

/** Ways to see one's own environment. */
const OWN_ENVIRONMENT = [
  'env',
  'set',
  'export -p',
  'printenv',
  'cat /proc/self/environ',
  "bash -c 'declare -p; compgen -v'",
  "perl -e 'print values %ENV'",
  'env | cat & wait',
  "git -c alias.x='!env' x",
];

/** Ways to see that of others, and what they were started with. */
const OTHERS = [
  'cat /proc/$PARENT/environ',
  'cat /proc/$PPID/environ',
  'cat /proc/1/environ',
  'cat /proc/[0-9]*/environ',
  'cat /proc/$PARENT/cmdline',
  'cat /proc/[0-9]*/cmdline',
  'cat /proc/[0-9]*/task/*/environ',
  'ps axeww',
  'grep -az Canary /proc/*/environ',
];

/** Whether a command of this user gets to see the canary, or how Handrail was started. */
async function seenBy(user: User, lines: readonly string[]): Promise<string[]> {
  await using workspace = tempWorkspace();
  const before = { ...process.env };
  Object.assign(process.env, SECRETS);
  try {
    const answers = await runCommands(
      workspace,
      user,
      lines.map((line) => [line]),
    );
    expect(new Set(answers.map(({ tier }) => tier))).toEqual(new Set(['A']));
    return lines.filter((_, index) =>
      /Canary|run-commands/.test(answers[index]!.stdout.replaceAll('grep -az', '')),
    );
  } finally {
    for (const name of Object.keys(SECRETS)) delete process.env[name];
    Object.assign(process.env, before);
  }
}

function environmentOfOthers(user: User): Attack {
  return {
    id: 'EN-02',
    title: `the environment and the arguments of the runtime and of others, read by ${user}`,
    attack: async () => {
      expect(await seenBy(user, [...OWN_ENVIRONMENT, ...OTHERS])).toEqual([]);
    },
    bites: async () => {
      await using workspace = tempWorkspace();
      const command = "env -i /bin/sh -c 'cat /proc/$PPID/environ'; :";
      expect(runUndefended(workspace, command, { env: SECRETS })).toContain(CANARY);
    },
  };
}

/** Variables that programs obey, each with a command that does where nothing is withheld. */
const OBEYED: Readonly<Record<string, string | undefined>> = {
  LD_PRELOAD: undefined,
  LD_AUDIT: undefined,
  ld_preload: undefined,
  NODE_OPTIONS: `NODE_OPTIONS='--require ./run.cjs' '${process.execPath}' -e 0`,
  Node_Options: undefined,
  BASH_ENV: 'BASH_ENV=./run.sh bash -c :',
  ENV: undefined,
  PYTHONSTARTUP: undefined,
  PYTHONPATH: undefined,
  PERL5OPT: "PERL5OPT='-I. -MRun' perl -e 0",
  RUBYOPT: undefined,
  PROMPT_COMMAND: undefined,
  IFS: undefined,
  GIT_SSH_COMMAND: undefined,
  GIT_EXTERNAL_DIFF: 'GIT_EXTERNAL_DIFF=./run.sh git diff --no-ext-diff; GIT_EXTERNAL_DIFF=./run.sh git diff',
  GIT_CONFIG_COUNT: 'GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=diff.external GIT_CONFIG_VALUE_0=./run.sh git diff',
  npm_config_node_options: undefined,
  NPM_CONFIG_SCRIPT_SHELL: undefined,
  PATH: 'PATH=$PWD/bin:$PATH; rg x',
  SHELLOPTS: undefined,
  PS4: undefined,
  MAKEFLAGS: undefined,
  JAVA_TOOL_OPTIONS: undefined,
  EDITOR: undefined,
};

/** A workspace with programs and modules that leave a mark outside. */
function layOut(): TempWorkspace {
  const workspace = tempWorkspace({ ...ALIVE, 'x.txt': 'x\n' });
  const program = `#!/bin/sh\necho x >> '${workspace.outside}/ran'\n`;
  for (const name of ['git', 'rg', 'bwrap', 'sh', 'node', 'setsid', 'npm', 'ldd', 'socat'])
    for (const folder of ['.', 'bin', 'node_modules/.bin', 'sub/bin']) {
      workspace.write(`${folder}/${name}`, program);
      chmodSync(join(workspace.root, folder, name), 0o755);
    }
  workspace.write('run.sh', program);
  chmodSync(join(workspace.root, 'run.sh'), 0o755);
  workspace.write('run.cjs', `require('node:fs').writeFileSync('${workspace.outside}/ran', '')\n`);
  workspace.write('Run.pm', `package Run; system "./run.sh"; 1;\n`);
  runUndefended(workspace, 'git init -q . && git add alive.txt && echo changed > alive.txt');
  return workspace;
}

const searchPath = ({ root }: TempWorkspace): string =>
  `.:${root}/bin::node_modules/.bin:${root}:${root}/sub/../bin:./sub/bin:/usr/local/bin:/usr/bin:/bin:`;

const PROXY = 'http://proxy.example:1';
const DOTENV = `HANDRAIL_HOME=/x\nXDG_STATE_HOME=/x\nHTTP_PROXY=${PROXY}\nSSL_CERT_FILE=x\nPATH=bin\nNODE_OPTIONS=--require ./run.cjs\n`;

const ATTACKS: readonly Attack[] = [
  {
    id: 'EN-01',
    title: 'secrets of the runtime in the environment of a command, whichever tool runs it',
    attack: async () => {
      await using workspace = tempWorkspace(ALIVE);
      const surface = await library(workspace, {
        rules: [ALLOW_ALL],
        environment: { ...process.env, ...SECRETS },
      });
      for (const command of OWN_ENVIRONMENT) {
        for (const tool of COMMAND_TOOLS) {
          const { text } = await expectHarmless(surface, workspace, commandOn(tool, command));
          expect({ command, tool, tells: text.includes(CANARY) }).toEqual({ command, tool, tells: false });
        }
      }
    },
    bites: async () => {
      await using workspace = tempWorkspace();
      for (const command of OWN_ENVIRONMENT)
        expect({ command, told: runUndefended(workspace, command, { env: SECRETS }) }).toEqual({
          command,
          told: expect.stringContaining(CANARY) as string,
        });
    },
  },
  {
    id: 'EN-01',
    title: 'secrets that the settings pass on by name',
    attack: async () => {
      await using workspace = tempWorkspace(ALIVE);
      const names = [...Object.keys(SECRETS), ...Object.keys(OBEYED)];
      workspace.write('../config/config.jsonc', JSON.stringify({ commands: { environment: names } }));
      const obeyed = Object.fromEntries(Object.keys(OBEYED).map((name) => [name, CANARY]));
      const surface = await library(workspace, {
        readConfig: true,
        environment: { ...obeyed, ...SECRETS, PATH: process.env['PATH'] },
      });
      const { text } = await surface.call(bash('env'));
      // What neither looks like a secret nor is obeyed by anything is what they are for.
      const told = text
        .replaceAll(String.raw`\n`, ' ')
        .matchAll(new RegExp(String.raw`(\w+)=${CANARY}`, 'g'));
      expect(new Set([...told].map(([, name]) => name))).toEqual(new Set(['EDITION']));
    },
    bites: { noProof: 'shown above: what is passed on is seen' },
  },
  ...(['root', 'nobody'] as const).filter((user) => whyNotAs(user) === undefined).map(environmentOfOthers),
  {
    id: 'EN-03',
    title: 'variables that programs obey, set before an allowed command (CVE-2026-58057, CVE-2026-69263)',
    attack: async () => {
      await using workspace = layOut();
      const before = snapshotOutside(workspace);
      const runtime = await workspace.runtime({
        rules: [{ action: 'allow', permission: 'proc.exec', command: ['ls', 'git *', 'bash *', 'perl *'] }],
      });
      for (const name of Object.keys(OBEYED)) {
        for (const command of [
          `${name}=./run.sh ls`,
          `export ${name}=./run.sh; ls`,
          `env ${name}=./run.sh ls`,
        ])
          expect({ command, said: await verdictOn(runtime, command) }).toEqual({ command, said: 'ask' });
      }
      const surface = await library(workspace, { rules: [ALLOW_ALL] });
      for (const command of Object.values(OBEYED))
        if (command !== undefined) await expectHarmless(surface, workspace, bash(command));
      expect(snapshotOutside(workspace)).toEqual(before);
    },
    bites: async () => {
      for (const command of Object.values(OBEYED)) {
        if (command === undefined) continue;
        await using workspace = layOut();
        expect({ command, isHarmed: harmsOutside(workspace, command) }).toEqual({ command, isHarmed: true });
      }
    },
  },
  {
    id: 'EN-04',
    title: 'programs of the workspace in the search path (CVE-2026-32015, CVE-2024-22190)',
    attack: async () => {
      await using workspace = layOut();
      const surface = await library(workspace, {
        rules: [ALLOW_ALL],
        environment: { PATH: searchPath(workspace) },
      });
      for (const [tool, args] of [
        ['grep', { pattern: 'x' }],
        ['glob', { pattern: '**' }],
        ['write', { path: 'new.txt', content: '' }],
        ['bash', { command: 'true' }],
        ['bash', { command: 'true', network: ['127.0.0.1'] }],
        ['bash', { command: 'true', tty: true }],
        ['bash', { command: 'true', outside_sandbox: true }],
        ['bash', { command: 'git --version; rg --version', outside_sandbox: true }],
      ] as const)
        await expectHarmless(surface, workspace, { dialect: 'handrail', tool, args });
      const { text } = await surface.call(bash('command -v git; command -v rg; echo "$PATH"'));
      expect(text).toContain('/usr/bin/git');
      expect(text).not.toContain(`${workspace.root}/`);
    },
    bites: async () => {
      for (const program of ['git', 'rg', 'bwrap', 'npm']) {
        await using workspace = layOut();
        const isHarmed = harmsOutside(workspace, program, { env: { PATH: searchPath(workspace) } });
        expect({ program, isHarmed }).toEqual({ program, isHarmed: true });
      }
    },
  },
  {
    id: 'EN-05',
    title: 'files with variables in the workspace (CVE-2025-61260, CVE-2026-12537)',
    attack: async () => {
      await using workspace = layOut();
      for (const path of ['.env', '.env.local', '.handrail/.env', '.handrail/config.env'])
        workspace.write(path, DOTENV);
      const before = snapshotOutside(workspace);
      const surface = await library(workspace, { readConfig: true, environment: process.env });
      const { text } = await surface.call(bash('env'));
      expect(text).not.toMatch(/proxy\.example|HANDRAIL_HOME|run\.cjs/);
      const { stdout } = await handrail(workspace, ['call', 'bash', '{"command":"env"}', '--yes']);
      expect(stdout).toContain('TERM=dumb');
      expect(stdout).not.toMatch(/proxy\.example|HANDRAIL_HOME|run\.cjs/);
      // Its state is where it was told, not where a file of the workspace wants it.
      expect(
        readFileSync(join(environmentOf(workspace)['XDG_STATE_HOME']!, 'handrail/handrail.sqlite')),
      ).toBeDefined();
      expect(snapshotOutside(workspace)).toEqual(before);
    },
    bites: async () => {
      await using workspace = layOut();
      workspace.write('.env', DOTENV);
      expect(runUndefended(workspace, 'set -a; . ./.env; /usr/bin/env')).toContain(PROXY);
    },
  },
];

describe('the environment', () => {
  testAttacks(ATTACKS);
});
