/** Handrail's own folder: private whatever the umask, never behind a link or another owner, never in reach of a tool. */
import { spawnSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Locations } from '../../src/index.ts';
import { environmentOf, LAUNCHER } from '../support/command-line.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';
import { ALIVE, type Attack, expectHarmless, expectRefused, testAttacks } from './attack-case.ts';
import { ALLOW_ALL, bash, runUndefended } from './commanding.ts';
import { chainFiles, snapshotOutside } from './evidence.ts';
import { callOn, FILE_TOOLS } from './file-tools.ts';
import { library, type Surface } from './surfaces.ts';
import { rawJsonLog, unchecked } from './undefended.ts';

/** Prepares the state folder and expects that nothing starts over it, and that the outside stays as it is. */
async function expectNoStart(prepare: (state: string, workspace: TempWorkspace) => void): Promise<void> {
  await using workspace = tempWorkspace(ALIVE);
  mkdirSync(join(workspace.locations.state, 'audit'), { recursive: true, mode: 0o700 });
  prepare(workspace.locations.state, workspace);
  const before = snapshotOutside(workspace);
  await expect(workspace.runtime()).rejects.toMatchObject({ code: 'E_IO' });
  expect(snapshotOutside(workspace)).toEqual(before);
}

/** What is kept in the state folder, by name. */
const KEPT = ['handrail.sqlite', 'handrail.sqlite-wal', 'handrail.sqlite-shm', 'handrail.sqlite-journal'];

/** A log at a known place, opened as one opens files. */
async function logThroughLink(): Promise<void> {
  await using workspace = tempWorkspace();
  const log = join(workspace.root, 'log');
  symlinkSync(join(workspace.outside, 's.txt'), log);
  rawJsonLog(log).write({ tool: 'read' });
  expect(readFileSync(join(workspace.outside, 's.txt'), 'utf8')).toContain('"tool":"read"');
}

const moveAside = (path: string): void => {
  spawnSync('mv', [path, `${path}.aside`]);
};

/** Nobody but the owner gets at the folder and at anything in it. */
function expectPrivate(folder: string): void {
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const open = ['.', ...entries].filter((name) => (lstatSync(join(folder, name)).mode & 0o077) !== 0);
  expect(open).toEqual([]);
  expect(entries.length).toBeGreaterThan(2);
}

const PLANTED_STATE: readonly Attack[] = [
  {
    id: 'AU-06',
    title: 'a link in the place of the folder (CVE-2026-46406)',
    attack: () =>
      expectNoStart((state, { outside }) => {
        moveAside(state);
        symlinkSync(outside, state);
      }),
    bites: logThroughLink,
  },
  {
    id: 'AU-06',
    title: 'a link in the place of the audit',
    attack: () =>
      expectNoStart((state, { outside }) => {
        moveAside(join(state, 'audit'));
        symlinkSync(outside, join(state, 'audit'));
      }),
    bites: logThroughLink,
  },
  ...KEPT.map((name) => ({
    id: 'AU-06',
    title: `a link in the place of ${name}`,
    attack: () =>
      expectNoStart((state, { outside }) => symlinkSync(join(outside, 'made'), join(state, name))),
    bites: logThroughLink,
  })),
  {
    id: 'AU-06',
    title: 'a link to an outside file in the place of the store',
    attack: () =>
      expectNoStart((state, { outside }) =>
        symlinkSync(join(outside, 's.txt'), join(state, 'handrail.sqlite')),
      ),
    bites: logThroughLink,
  },
  {
    id: 'AU-06',
    title: 'a pipe in the place of the store',
    attack: () => expectNoStart((state) => spawnSync('mkfifo', [join(state, 'handrail.sqlite')])),
    bites: { noProof: 'shown for pipes in the workspace: opening one hangs the undefended' },
  },
  {
    id: 'AU-06',
    title: 'a file in the place of the folder',
    attack: () =>
      expectNoStart((state) => {
        moveAside(state);
        writeFileSync(state, '');
      }),
    bites: { noProof: 'nobody can make a folder where a file is; the point is that nothing runs' },
  },
  {
    id: 'AU-06',
    title: 'a umask that lets everybody read and write',
    attack: async () => {
      await using workspace = tempWorkspace(ALIVE);
      const before = process.umask(0);
      try {
        const surface = await library(workspace);
        await surface.call({ dialect: 'coder', tool: 'read', args: { path: 'alive.txt' } });
      } finally {
        process.umask(before);
      }
      expectPrivate(workspace.locations.state);
    },
    bites: async () => {
      await using workspace = tempWorkspace();
      const before = process.umask(0);
      rawJsonLog(join(workspace.outside, 'log')).write({});
      process.umask(before);
      expect(lstatSync(join(workspace.outside, 'log')).mode & 0o777).toBe(0o666);
    },
  },
  {
    id: 'AU-06',
    title: 'the same umask on the command line',
    attack: async () => {
      await using workspace = tempWorkspace(ALIVE);
      const call = [process.execPath, LAUNCHER, 'call', 'read', '{"path":"alive.txt"}'];
      const options = { cwd: workspace.root, env: environmentOf(workspace) };
      expect(spawnSync('/bin/sh', ['-c', 'umask 000; exec "$@"', 'sh', ...call], options)).toMatchObject({
        status: 0,
      });
      expectPrivate(join(options.env['XDG_STATE_HOME']!, 'handrail'));
    },
    bites: { noProof: 'the same as above: a file is made with the mode that the umask leaves' },
  },
];

describe('the state folder', () => {
  testAttacks(PLANTED_STATE);

  it.for(['.', 'audit', 'handrail.sqlite'])(
    'AU-06 is not used when %s belongs to somebody else',
    async (name, { skip }) => {
      if (process.getuid?.() !== 0) skip('only root can give a file to somebody else');
      const giveAway = (state: string): void => {
        if (name === 'handrail.sqlite') writeFileSync(join(state, name), '');
        chownSync(join(state, name), 65_534, 65_534);
      };
      await expect(expectNoStart(giveAway)).resolves.toBeUndefined();
    },
  );
});

/** Where state and config are when they lie in the workspace. */
const inside = (workspace: TempWorkspace): Locations => ({
  ...workspace.locations,
  state: join(workspace.root, '.state/handrail'),
  config: join(workspace.root, '.config/handrail'),
});

/** The folders, what is in them, and other ways to write that. */
const spellings = ({ root }: TempWorkspace, surface: Surface): string[] => {
  const chain = relative(root, chainFiles(surface.state)[0]!);
  return [
    '.state/handrail',
    '.state/handrail/handrail.sqlite',
    '.state/handrail/handrail.sqlite-wal',
    '.state/handrail/audit',
    '.state/handrail/new.txt',
    chain,
    chain.toUpperCase(),
    `./x/../${chain}`,
    'link/handrail.sqlite',
    '.config/handrail/policy.json',
    '.Config/Handrail/new/policy.json',
  ];
};

/** Commands that read or change the audit, by its name and without naming it. */
const onAudit = (chain: string): string[] => [
  `cat ${chain}`,
  `cat .state/*/*/*.jsonl`,
  `cat link/audit/*`,
  'grep -rh . .state',
  `s=.state; cat $s/handrail/audit/*`,
  `echo planted > ${chain}`,
  `c=${chain}; : > $c`,
  `cp alive.txt ${chain}`,
  `sed -i s/a/b/ ${chain}`,
  'mv .state moved; cat moved/handrail/audit/*',
  'd=.state; rm -rf $d',
  'git init -q; git add -f .state; git ls-files -s | cut -d" " -f2 | xargs -n1 git cat-file blob',
];

/** Every line of it names the one before. */
const tellsAudit = (text: string): boolean => /"prev\\?":/.test(text);

const isKept = (chain: string, before: string): boolean =>
  existsSync(chain) && readFileSync(chain, 'utf8').startsWith(before);

/** Git takes no path behind a link, wherever it leads. */
const REFUSALS = ['E_POLICY_DENIED', 'E_OUTSIDE_WORKSPACE'] as const;

const STATE_INSIDE: readonly Attack[] = [
  {
    id: 'AU-06',
    title: 'the audit through a file tool (CVE-2026-77250)',
    attack: async () => {
      await using workspace = tempWorkspace(ALIVE);
      const locations = inside(workspace);
      const surface = {
        ...(await library(workspace, { locations, rules: [{ action: 'allow', permission: '*' }] })),
        state: locations.state,
      };
      symlinkSync('.state/handrail', join(workspace.root, 'link'));
      await surface.call({ dialect: 'coder', tool: 'read', args: { path: 'alive.txt' } });
      for (const path of spellings(workspace, surface)) {
        for (const tool of FILE_TOOLS) await expectRefused(surface, workspace, callOn(tool, path), REFUSALS);
      }
      for (const tool of FILE_TOOLS.filter(({ does }) => does === 'delete')) {
        await expectRefused(surface, workspace, callOn(tool, '.state'), ['E_POLICY_DENIED']);
      }
    },
    bites: async () => {
      await using workspace = tempWorkspace(ALIVE);
      const locations = inside(workspace);
      const surface = { ...(await library(workspace, { locations })), state: locations.state };
      await surface.call({ dialect: 'coder', tool: 'read', args: { path: 'alive.txt' } });
      const chain = relative(workspace.root, chainFiles(surface.state)[0]!);
      const { read, write } = unchecked(workspace);
      expect(read(chain)).toContain('alive.txt');
      write(chain);
      expect(read(chain)).not.toContain('alive.txt');
    },
  },
  {
    id: 'AU-06',
    title: 'the audit through a command',
    attack: async () => {
      await using workspace = tempWorkspace(ALIVE);
      const locations = inside(workspace);
      const surface = {
        ...(await library(workspace, { locations, rules: [ALLOW_ALL] })),
        state: locations.state,
      };
      symlinkSync('.state/handrail', join(workspace.root, 'link'));
      await surface.call({ dialect: 'coder', tool: 'read', args: { path: 'alive.txt' } });
      const chain = chainFiles(surface.state)[0]!;
      for (const command of onAudit(relative(workspace.root, chain))) {
        const before = readFileSync(chain, 'utf8');
        const { text } = await expectHarmless(surface, workspace, bash(command));
        expect({ command, tells: tellsAudit(text), isKept: isKept(chain, before) }).toEqual({
          command,
          tells: false,
          isKept: true,
        });
      }
    },
    bites: async () => {
      for (const index of onAudit('').keys()) {
        await using workspace = tempWorkspace(ALIVE);
        const locations = inside(workspace);
        const surface = { ...(await library(workspace, { locations })), state: locations.state };
        symlinkSync('.state/handrail', join(workspace.root, 'link'));
        await surface.call({ dialect: 'coder', tool: 'read', args: { path: 'alive.txt' } });
        const chain = chainFiles(surface.state)[0]!;
        const command = onAudit(relative(workspace.root, chain))[index]!;
        const before = readFileSync(chain, 'utf8');
        const told = runUndefended(workspace, command);
        expect({ command, harms: tellsAudit(told) || !isKept(chain, before) }).toEqual({
          command,
          harms: true,
        });
      }
    },
  },
  {
    id: 'AU-06',
    title: 'the audit through the command line',
    attack: async () => {
      await using workspace = tempWorkspace(ALIVE);
      const env = { ...environmentOf(workspace), XDG_STATE_HOME: join(workspace.root, '.state') };
      const call = (tool: string, args: object): number | null =>
        spawnSync(process.execPath, [LAUNCHER, 'call', tool, JSON.stringify(args), '--yes'], {
          cwd: workspace.root,
          env,
        }).status;
      expect(call('read', { path: 'alive.txt' })).toBe(0);
      const [chain = ''] = chainFiles(env.XDG_STATE_HOME);
      const before = readFileSync(chain, 'utf8');
      const path = relative(workspace.root, chain);
      expect(call('read', { path })).toBe(3);
      expect(call('write', { path, content: '' })).toBe(3);
      expect(call('delete', { path: relative(workspace.root, dirname(chain)) })).toBe(3);
      expect(readFileSync(chain, 'utf8').startsWith(before)).toBe(true);
    },
    bites: { noProof: 'the same as above, by another way in' },
  },
];

describe('a state folder inside the workspace', () => {
  testAttacks(STATE_INSIDE);
});
