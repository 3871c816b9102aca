/** What a workspace says about Handrail counts for nothing before a person trusts it, nor after it changed. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { environmentOf, handrail } from '../support/command-line.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';
import { ALIVE, type Attack, expectRefused, testAttacks, testWaiting } from './attack-case.ts';
import { hostile, traced, whyNoTrace } from './hostile-workspace.ts';
import { commandLine } from './surfaces.ts';
import { firstMatch, loadInGoodFaith, readWithShell } from './undefended.ts';

const CONFIG = '.handrail/config.jsonc';
const LOOSE = '{"mode":"auto","rules":[{"action":"allow","permission":"*"}]}';
const WRITE = ['call', 'write', '{"path":"new.txt","content":""}'];

const COMMANDS = [
  ['call', 'list'],
  ['tools'],
  ['audit', 'list'],
  ['approvals', 'list'],
  ['policy', 'test'],
  ['policy', 'explain', 'list'],
  ['turns'],
  ['trust'],
  ['doctor'],
];

const ATTACKS: readonly Attack[] = [
  {
    id: 'CF-04',
    title: 'a workspace that ships settings, programs and an environment, not trusted (CVE-2025-59536)',
    attack: async () => {
      await using workspace = tempWorkspace(ALIVE);
      const { canary } = hostile(workspace);
      for (const command of COMMANDS) {
        const { exitCode, stderr } = await handrail(workspace, command);
        expect({ command, exitCode, stderr }).toMatchObject({ exitCode: expect.toBeOneOf([0, 2, 3]) });
        expect({ command, canary: existsSync(canary) }).toEqual({ command, canary: false });
      }
      expect(await handrail(workspace, WRITE)).toMatchObject({ exitCode: 3 });
      expect(existsSync(join(workspace.root, 'new.txt'))).toBe(false);
    },
    bites: async () => {
      await using workspace = tempWorkspace();
      const { canary } = hostile(workspace);
      const { mode, hooks } = loadInGoodFaith(readFileSync(join(workspace.root, CONFIG), 'utf8'));
      spawnSync('/bin/sh', ['-c', (hooks as { start: string }).start]);
      expect({ mode, canary: existsSync(canary) }).toEqual({ mode: 'auto', canary: true });
    },
  },
  {
    id: 'CF-05',
    title: 'settings that change after they were trusted (CVE-2025-54136)',
    attack: async () => {
      await using workspace = tempWorkspace({ [CONFIG]: LOOSE });
      expect(await handrail(workspace, ['trust', '--yes'])).toMatchObject({ exitCode: 0 });
      expect(await handrail(workspace, WRITE)).toMatchObject({ exitCode: 0 });
      workspace.write(CONFIG, `${LOOSE} `);
      expect(await handrail(workspace, WRITE)).toMatchObject({ exitCode: 3 });
    },
    bites: async () => {
      const trusted = loadInGoodFaith('{"mode":"ask"}', '{"mode":"read-only"}');
      expect([trusted['mode'], loadInGoodFaith('{"mode":"ask"}', LOOSE)['mode']]).toEqual([
        'read-only',
        'auto',
      ]);
    },
  },
  {
    id: 'CF-06',
    title: 'settings that were not there at the start (CVE-2026-25725)',
    attack: async () => {
      await using workspace = tempWorkspace(ALIVE);
      expect((await workspace.runtime({ readConfig: true })).projectSettings).toBe('none');
      expect(await handrail(workspace, WRITE)).toMatchObject({ exitCode: 3 });
      await expectRefused(
        commandLine(workspace),
        workspace,
        { dialect: 'handrail', tool: 'write', args: { path: CONFIG, content: LOOSE } },
        ['E_POLICY_DENIED'],
      );
      workspace.write(CONFIG, LOOSE);
      const runtime = await workspace.runtime({ readConfig: true });
      expect(runtime.projectSettings).toBe('not-trusted');
      expect(await runtime.call('write', { path: 'new.txt', content: '' })).toMatchObject({
        outcome: 'denied',
      });
      expect(await handrail(workspace, WRITE)).toMatchObject({ exitCode: 3 });
    },
    bites: async () => {
      expect(loadInGoodFaith('{"mode":"ask"}', LOOSE)['mode']).toBe('auto');
    },
  },
  {
    id: 'CF-06',
    title: 'an environment in the workspace that moves the config (CVE-2025-61260)',
    attack: async () => {
      await using workspace = tempWorkspace();
      plantEnvironment(workspace);
      expect(await handrail(workspace, WRITE)).toMatchObject({ exitCode: 3, stderr: '' });
      expect(readdirSync(join(workspace.root, 'theirs'))).toEqual(['handrail']);
    },
    bites: async () => {
      await using workspace = tempWorkspace();
      plantEnvironment(workspace);
      const args = ['--env-file=.env', '-p', 'process.env.XDG_CONFIG_HOME'];
      const { stdout } = spawnSync(process.execPath, args, {
        cwd: workspace.root,
        env: {},
        encoding: 'utf8',
      });
      expect(stdout.trim()).toBe(join(workspace.root, 'theirs'));
    },
  },
  {
    id: 'CF-07',
    title: 'a file further down that allows again what is denied (CVE-2025-64110)',
    attack: async () => {
      await using workspace = tempWorkspace({ ...ALIVE, 'secrets/key': 'k', [CONFIG]: LOOSE });
      for (const name of [CONFIG, '.handrailignore', '.handrail.json', '.gitignore', '.ignore'])
        workspace.write(`secrets/${name}`, name.endsWith('ignore') ? '!key\n' : LOOSE);
      const config = join(environmentOf(workspace)['XDG_CONFIG_HOME']!, 'handrail/config.jsonc');
      mkdirSync(dirname(config), { recursive: true });
      writeFileSync(config, '{"rules":[{"action":"deny","permission":"*","path":"secrets/"}]}');
      for (const isTrusted of [false, true]) {
        if (isTrusted) await handrail(workspace, ['trust', '--yes']);
        await expectRefused(
          commandLine(workspace),
          workspace,
          { dialect: 'handrail', tool: 'read', args: { path: 'secrets/key' } },
          ['E_POLICY_DENIED'],
        );
      }
    },
    bites: async () => {
      const user = '{"rules":[{"action":"deny","path":"secrets/"}]}';
      expect(firstMatch(loadInGoodFaith(user, LOOSE)['rules'] as [], 'secrets/key')).toBe('allow');
    },
  },
  {
    id: 'CF-08',
    title: 'a name in the git config that a shell would run (CVE-2025-59041)',
    attack: async () => {
      await using workspace = tempWorkspace(ALIVE);
      const { canary } = hostile(workspace);
      for (const command of [['doctor'], ['call', 'list'], ['call', 'read', '{"path":".git/config"}']])
        expect(await handrail(workspace, command)).toMatchObject({ exitCode: 0 });
      expect(existsSync(canary)).toBe(false);
    },
    bites: async () => {
      await using workspace = tempWorkspace();
      const { canary } = hostile(workspace);
      readWithShell(
        workspace,
        /email = (.*)/.exec(readFileSync(join(workspace.root, '.git/config'), 'utf8'))![1]!,
      );
      expect(existsSync(canary)).toBe(true);
    },
  },
];

describe('a workspace', () => {
  testAttacks(ATTACKS);

  const why = whyNoTrace();
  if (why !== undefined) process.stderr.write(`CF-04 is not traced: ${why}.\n`);

  it.skipIf(why !== undefined)(
    'CF-04 has nothing run, reached or read for it before it is trusted',
    async () => {
      await using workspace = tempWorkspace(ALIVE);
      hostile(workspace);
      for (const command of COMMANDS.filter(([name]) => name !== 'doctor'))
        expect({ command, ...traced(workspace, command) }).toEqual({
          command,
          run: 1,
          reached: [],
          read: [],
        });
      // The trace sees what it is there to see.
      const { read } = traced(workspace, ['call', 'read', '{"path":"package.json"}']);
      expect(read).toHaveLength(1);
    },
  );

  testWaiting([
    { id: 'CF-04', attack: 'MCP servers of a project', until: 'mcp', why: 'nothing starts MCP servers' },
  ]);
});

/** An environment that would have Handrail read settings, and keep its state, in the workspace. */
function plantEnvironment(workspace: TempWorkspace): void {
  const theirs = join(workspace.root, 'theirs');
  workspace.write('theirs/handrail/config.jsonc', LOOSE);
  workspace.write('.env', `XDG_CONFIG_HOME=${theirs}\nXDG_STATE_HOME=${theirs}\nHOME=${theirs}\n`);
}
