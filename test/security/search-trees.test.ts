/** A search meets everything a tree can hold, and tells nothing of what a call of its own could not have read. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync, truncateSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { Rule } from '../../src/index.ts';
import { approver } from '../support/approver.ts';
import { OUTSIDE_SECRET, type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';
import { ALIVE, type Attack, expectAllowed, expectHarmless, testAttacks } from './attack-case.ts';
import { PATTERN_TOOLS } from './file-tools.ts';
import { expectTrue, SEARCHES, shownLines, shownPaths } from './searching.ts';
import { commandLine, library } from './surfaces.ts';
import { ripgrep } from './undefended-search.ts';

const CANARY = 'canary secret';
const INSIDE = { 'deep/er/inside.txt': 'a secret of the inside\n' };

/** Links out of the workspace and in circles, of all kinds; what they lead to holds `s.txt`. */
function plantWaysOut({ root, outside }: TempWorkspace): void {
  mkdirSync(join(root, 'deep'), { recursive: true });
  symlinkSync(join(outside, 's.txt'), join(root, 'file.txt'));
  symlinkSync('../out/s.txt', join(root, 'relative.txt'));
  symlinkSync(outside, join(root, 'folder'));
  symlinkSync('../../out', join(root, 'deep/folder'));
  symlinkSync('folder', join(root, 'chain'));
  symlinkSync('/proc/self/root', join(root, 'machine'));
  symlinkSync('..', join(root, 'deep/circle'));
  symlinkSync('self', join(root, 'self'));
}

/** A pipe, and where this user may make one, a device that never ends. */
function plantSpecialFiles({ root }: TempWorkspace): void {
  spawnSync('mkfifo', [join(root, 'pipe'), join(root, 'deep/pipe')]);
  const { status } = spawnSync('/bin/sh', ['-c', 'mknod deep/endless c 1 5'], { cwd: root });
  if (status !== 0) process.stderr.write('No device is searched: only root makes one.\n');
}

const SECRETS = ['.env', '.env.local', 'deep/.env', 'key.pem', 'deep/id_rsa', '.ssh/id', 'deep/.ssh/config'];

function plantSecrets(workspace: TempWorkspace): void {
  for (const path of SECRETS) workspace.write(path, `${CANARY}\n`);
}

const RULES: readonly Rule[] = [
  { action: 'deny', permission: 'fs.read', path: ['vault/', '*.token'] },
  { action: 'ask', permission: 'fs.read', path: 'private/' },
];
const RULED = ['vault/a.txt', 'vault/deep/b.txt', 'deep/vault.token', 'private/c.txt'];

function plantRuled(workspace: TempWorkspace): void {
  for (const path of RULED) workspace.write(path, `${CANARY}\n`);
  symlinkSync('vault', join(workspace.root, 'open'));
}

const TREES: readonly Attack[] = [
  {
    id: 'GR-02',
    title: 'links out of the workspace, pipes, sockets, devices',
    attack: async () => {
      await using workspace = tempWorkspace({ ...ALIVE, ...INSIDE });
      plantWaysOut(workspace);
      plantSpecialFiles(workspace);
      const server = createServer().listen(join(workspace.root, 'deep/socket'));
      await once(server, 'listening');
      const surface = await library(workspace);
      for (const { search } of SEARCHES) {
        for (const path of ['.', 'deep']) {
          const answer = await expectAllowed(surface, workspace, search('secret', path));
          expectTrue(workspace, answer);
          expect(shownPaths(answer)).toContain('deep/er/inside.txt');
          expect(shownPaths(answer).filter((shown) => shown.includes('s.txt'))).toEqual([]);
        }
      }
      const [{ search }] = SEARCHES as [(typeof SEARCHES)[number]];
      await expectAllowed(commandLine(workspace), workspace, search('secret'));
      server.close();
    },
    bites: async () => {
      await using workspace = tempWorkspace({ ...INSIDE });
      symlinkSync(join(workspace.outside, 's.txt'), join(workspace.root, 'file.txt'));
      expect(ripgrep(workspace, ['--follow', 'secret', '.'])).toContain(OUTSIDE_SECRET);
      expect(ripgrep(workspace, ['secret', 'file.txt'])).toContain(OUTSIDE_SECRET);
    },
  },
  {
    id: 'GR-02',
    title: '`.ssh` folders and files that are asked about',
    attack: async () => {
      await using workspace = tempWorkspace({ ...ALIVE, ...INSIDE });
      plantSecrets(workspace);
      const approve = approver('session');
      const surface = await library(workspace, { approve });
      for (const { search } of SEARCHES) {
        for (const term of ['secret', 'canary']) {
          const answer = await expectAllowed(surface, workspace, search(term));
          expect(answer.text).not.toContain(CANARY);
          expect(shownPaths(answer).filter((path) => path.includes('.ssh/'))).toEqual([]);
        }
      }
      // Nothing is told by which files hold a text, either.
      const find = { dialect: 'tenas', tool: 'file-search', args: { query: CANARY } };
      expect(shownPaths(await expectAllowed(surface, workspace, find))).toEqual([]);
      expect(approve.asked).toEqual([]);
    },
    bites: async () => {
      await using workspace = tempWorkspace();
      plantSecrets(workspace);
      const found = ripgrep(workspace, ['--hidden', '--files-with-matches', CANARY, '.']);
      expect(found.trim().split('\n')).toHaveLength(SECRETS.length);
    },
  },
  {
    id: 'GR-02',
    title: 'subtrees and names that rules close',
    attack: async () => {
      await using workspace = tempWorkspace({ ...ALIVE, ...INSIDE });
      plantRuled(workspace);
      const approve = approver('session');
      const surface = await library(workspace, { rules: RULES, approve });
      for (const { search } of SEARCHES) {
        for (const term of ['secret', 'canary']) {
          const answer = await expectAllowed(surface, workspace, search(term));
          expect(answer.text).not.toContain(CANARY);
          expect(shownPaths(answer).filter((path) => path.includes('vault/'))).toEqual([]);
        }
      }
      for (const { search } of SEARCHES.filter(({ shows }) => shows === 'lines')) {
        const { text } = await expectHarmless(surface, workspace, search('secret', 'deep'));
        expect(text).not.toContain('vault.token');
      }
      expect(approve.asked).toEqual([]);
    },
    bites: async () => {
      await using workspace = tempWorkspace();
      plantRuled(workspace);
      const found = ripgrep(workspace, ['--files-with-matches', CANARY, '.']);
      expect(found.trim().split('\n')).toHaveLength(RULED.length);
    },
  },
  {
    id: 'GR-02',
    title: 'ignore files and globs that open what is closed',
    attack: async () => {
      await using workspace = tempWorkspace({ ...ALIVE });
      plantSecrets(workspace);
      for (const name of ['.gitignore', '.ignore', '.rgignore', '.git/info/exclude'])
        workspace.write(name, '!.env\n!.ssh/\n!*.pem\n*.txt\n');
      const surface = await library(workspace);
      for (const { search } of SEARCHES)
        expect((await expectHarmless(surface, workspace, search('canary'))).text).not.toContain(CANARY);
      for (const { callWith } of PATTERN_TOOLS) {
        for (const glob of [
          '.env',
          '**/.env',
          '**/.ssh/**',
          '.s[s]h/*',
          '!alive.txt',
          '{.env,.ssh/id}',
          '*',
        ]) {
          const answer = await expectHarmless(surface, workspace, callWith(glob));
          expect(answer.text).not.toContain(CANARY);
          expect(shownPaths(answer).filter((path) => path.includes('.ssh/'))).toEqual([]);
        }
      }
    },
    bites: async () => {
      await using workspace = tempWorkspace();
      plantSecrets(workspace);
      expect(ripgrep(workspace, ['--glob=.env', CANARY, '.'])).toContain(CANARY);
      workspace.write('.rgignore', '!.env\n');
      expect(ripgrep(workspace, [CANARY, '.'])).toContain(CANARY);
    },
  },
  {
    id: 'GR-02',
    title: "Handrail's own state inside the workspace",
    attack: async () => {
      await using workspace = tempWorkspace(ALIVE);
      const state = join(workspace.root, 'own/state');
      const config = join(workspace.root, 'own/config');
      mkdirSync(config, { recursive: true });
      workspace.write('own/config/config.jsonc', `// ${CANARY}\n{}\n`);
      const locations = { ...workspace.locations, state, config };
      const rules: Rule[] = [{ action: 'allow', permission: '*' }];
      const surface = { ...(await library(workspace, { locations, rules })), state };
      for (const { search } of SEARCHES) {
        for (const term of ['canary', 'call_']) {
          const answer = await expectAllowed(surface, workspace, search(term));
          expect(
            shownPaths(answer).filter((path) => path.startsWith('own/') && path.split('/').length > 2),
          ).toEqual([]);
        }
      }
    },
    bites: async () => {
      await using workspace = tempWorkspace();
      workspace.write('own/config/config.jsonc', `// ${CANARY}\n`);
      expect(ripgrep(workspace, [CANARY, '.'])).toContain(CANARY);
    },
  },
  {
    id: 'GR-02',
    title: 'a line of 100 MB, and a file of 1 GB that holds nothing',
    attack: async () => {
      await using workspace = tempWorkspace({ ...ALIVE, ...INSIDE });
      plantLarge(workspace);
      const surface = await library(workspace);
      for (const { shows, search } of SEARCHES) {
        const answer = await expectAllowed(surface, workspace, search('secret'));
        expect(shownPaths(answer)).toContain('deep/er/inside.txt');
        const long = shownLines(answer).filter(({ path }) => path === 'line');
        // Where matches may span lines, a file of that size is left out.
        const isLookedInto = shows === 'lines' && !JSON.stringify(search('secret')).includes('multiline');
        expect(long.map(({ line }) => line)).toEqual(isLookedInto ? [1] : []);
        for (const { text } of shownLines(answer)) expect(text.length).toBeLessThan(600);
      }
    },
    bites: async () => {
      await using workspace = tempWorkspace();
      plantLarge(workspace);
      expect(ripgrep(workspace, ['secret', '.']).length).toBeGreaterThan(LONG);
    },
  },
];

const LONG = 100_000_000;

function plantLarge({ root, ...workspace }: TempWorkspace): void {
  const part = Buffer.alloc(LONG, 'a secret and more of it, ');
  workspace.write('line', part);
  workspace.write('nothing', '');
  truncateSync(join(root, 'nothing'), 1_000_000_000);
}

describe('a search', () => {
  testAttacks(TREES);
});
