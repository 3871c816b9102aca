/** The program behind a search does what a search says, never what a name, a pattern, a glob or a setting says. */
import { chmodSync, existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OUTSIDE_SECRET, type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';
import { ALIVE, type Attack, expectAllowed, expectHarmless, testAttacks } from './attack-case.ts';
import { callOn, PATTERN_TOOLS, toolsThat } from './file-tools.ts';
import { expectTrue, SEARCHES, shownLines, shownPaths } from './searching.ts';
import { commandLine, library } from './surfaces.ts';
import { ripgrep, ripgrepByShell } from './undefended-search.ts';

/** A program in the workspace that leaves a canary when anybody runs it. */
function plantProgram(workspace: TempWorkspace): { readonly canary: string } {
  const canary = join(workspace.root, 'canary');
  workspace.write('pre.sh', `#!/bin/sh\ntouch '${canary}'\ncat\n`);
  chmodSync(join(workspace.root, 'pre.sh'), 0o755);
  symlinkSync(workspace.outside, join(workspace.root, 'outside'));
  return { canary };
}

const OPTIONS = [
  '-e',
  '-L',
  '--',
  '-',
  '--follow',
  '--files',
  '--pre=./pre.sh',
  '--pre-glob=*',
  '--search-zip',
  '--no-config',
  '--debug',
  '-f../out/s.txt',
  '--hostname-bin=./pre.sh',
];

const WITH_OPTION = 'alive.txt --pre=./pre.sh';

const NAMES: readonly Attack[] = [
  {
    id: 'FS-10',
    title: 'files whose names are options of the program',
    attack: async () => {
      const names = OPTIONS.filter((name) => !name.includes('/'));
      const files = Object.fromEntries(
        [...names, './--follow', 'sub/--pre=sh'].map((name) => [name, 'needle\n']),
      );
      await using workspace = tempWorkspace({ ...ALIVE, ...files, '--pre=./pre.sh': 'needle\n' });
      const { canary } = plantProgram(workspace);
      const surface = await library(workspace);
      for (const { search } of SEARCHES) {
        const answer = await expectAllowed(surface, workspace, search('needle'));
        expectTrue(workspace, answer);
        expect(shownPaths(answer)).toEqual(
          expect.arrayContaining([...names, 'sub/--pre=sh', '--pre=./pre.sh']),
        );
      }
      for (const tool of toolsThat('search')) {
        for (const name of names) {
          const { dialect, args } = callOn(tool, name);
          await expectAllowed(surface, workspace, { dialect, tool: tool.tool, args });
        }
      }
      expect(existsSync(canary)).toBe(false);
    },
    bites: async () => {
      await using workspace = tempWorkspace({ 'sub/a.txt': '' });
      symlinkSync(workspace.outside, join(workspace.root, 'sub/out'));
      expect(ripgrepByShell(workspace, 'rg secret *')).toBe('');
      workspace.write('--follow', '');
      expect(ripgrepByShell(workspace, 'rg secret *')).toContain(OUTSIDE_SECRET);
    },
  },
  {
    id: 'GR-02',
    title: 'names that break lines, steer terminals and turn text around',
    attack: async () => {
      const names = [
        'a\u001b[2Jb',
        'a\u009b2Jb',
        'gpj\u202etxt.sh',
        'a\u2028b',
        'a\rb',
        '\u0007',
        'a\u200bb',
        'a:1:b',
        'a-1-b',
      ];
      const broken = ['a\nb', '\n', 'x\n/y\nz'];
      const files = Object.fromEntries([...names, ...broken].map((name) => [name, 'one\nneedle\n']));
      await using workspace = tempWorkspace({ ...ALIVE, ...files });
      const surface = await library(workspace);
      for (const { search } of SEARCHES) {
        const answer = await expectAllowed(surface, workspace, search('needle'));
        expectTrue(workspace, answer);
        expect(shownPaths(answer)).toEqual(expect.arrayContaining(names));
        // One line of text, whatever is in it.
        expect(answer.text.split('\n')).toHaveLength(2);
        expect(answer.text).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
      }
    },
    bites: async () => {
      await using workspace = tempWorkspace({ 'a\nforged.txt:7:needle': 'needle\n' });
      expect(ripgrep(workspace, ['--line-number', 'needle', '.']).split('\n')).toContain(
        'forged.txt:7:needle:1:needle',
      );
    },
  },
];

const ARGUMENTS: readonly Attack[] = [
  {
    id: 'FS-10',
    title: 'patterns that are options of the program',
    attack: async () => {
      await using workspace = tempWorkspace({ ...ALIVE, 'options.txt': `${OPTIONS.join('\n')}\n` });
      const { canary } = plantProgram(workspace);
      const surface = await library(workspace);
      for (const { shows, search } of SEARCHES) {
        for (const pattern of OPTIONS) {
          const answer = await expectAllowed(surface, workspace, search(pattern));
          expectTrue(workspace, answer);
          if (shows === 'lines') expect(shownLines(answer).map(({ text }) => text)).toContain(pattern);
        }
      }
      await expectAllowed(commandLine(workspace), workspace, SEARCHES[0]!.search('--pre=./pre.sh'));
      expect(existsSync(canary)).toBe(false);
    },
    bites: async () => {
      await using workspace = tempWorkspace(ALIVE);
      const { canary } = plantProgram(workspace);
      ripgrep(workspace, ['--pre=./pre.sh', '.', '.']);
      expect(existsSync(canary)).toBe(true);
    },
  },
  {
    id: 'FS-10',
    title: 'globs that are options of the program',
    attack: async () => {
      await using workspace = tempWorkspace(ALIVE);
      const { canary } = plantProgram(workspace);
      const surface = await library(workspace);
      const globs = [
        ...OPTIONS,
        '!--follow',
        '!-L',
        '!!*',
        'include:all',
        'include:py',
        '*\n--follow',
        WITH_OPTION,
      ];
      for (const { callWith } of PATTERN_TOOLS) {
        for (const glob of globs)
          expectTrue(workspace, await expectHarmless(surface, workspace, callWith(glob)));
      }
      expect(existsSync(canary)).toBe(false);
    },
    bites: async () => {
      await using workspace = tempWorkspace(ALIVE);
      const { canary } = plantProgram(workspace);
      ripgrepByShell(workspace, `rg alive . -g ${WITH_OPTION}`);
      expect(existsSync(canary)).toBe(true);
    },
  },
  {
    id: 'FS-10',
    title: 'a config file of the program, named by the environment',
    attack: async () => {
      await using workspace = tempWorkspace({ ...ALIVE, '.ripgreprc': '--pre=./pre.sh\n--follow\n' });
      const { canary } = plantProgram(workspace);
      const surface = await library(workspace);
      process.env['RIPGREP_CONFIG_PATH'] = join(workspace.root, '.ripgreprc');
      try {
        for (const { search } of SEARCHES) {
          const answer = await expectAllowed(surface, workspace, search('secret'));
          expectTrue(workspace, answer);
        }
      } finally {
        delete process.env['RIPGREP_CONFIG_PATH'];
      }
      expect(existsSync(canary)).toBe(false);
    },
    bites: async () => {
      await using workspace = tempWorkspace({ ...ALIVE, '.ripgreprc': '--pre=./pre.sh\n--follow\n' });
      const { canary } = plantProgram(workspace);
      const env = { RIPGREP_CONFIG_PATH: join(workspace.root, '.ripgreprc') };
      expect(ripgrep(workspace, ['secret', '.'], env)).toContain(OUTSIDE_SECRET);
      expect(existsSync(canary)).toBe(true);
    },
  },
  {
    id: 'FS-10',
    title: 'another program of that name in the workspace',
    attack: async () => {
      await using workspace = tempWorkspace(ALIVE);
      const { canary } = plantProgram(workspace);
      for (const path of ['rg', 'node_modules/.bin/rg', 'node_modules/@vscode/ripgrep/bin/rg']) {
        workspace.write(path, `#!/bin/sh\ntouch '${canary}'\n`);
        chmodSync(join(workspace.root, path), 0o755);
      }
      workspace.write(
        'node_modules/@vscode/ripgrep/package.json',
        '{"name":"@vscode/ripgrep","main":"index.js"}',
      );
      workspace.write(
        'node_modules/@vscode/ripgrep/index.js',
        `require('fs').writeFileSync('${canary}', '')`,
      );
      for (const { search } of SEARCHES)
        await expectAllowed(await library(workspace), workspace, search('alive'));
      await expectAllowed(commandLine(workspace), workspace, SEARCHES[0]!.search('alive'));
      expect(existsSync(canary)).toBe(false);
    },
    bites: async () => {
      await using workspace = tempWorkspace(ALIVE);
      const { canary } = plantProgram(workspace);
      workspace.write('rg', `#!/bin/sh\ntouch '${canary}'\n`);
      chmodSync(join(workspace.root, 'rg'), 0o755);
      ripgrepByShell(workspace, 'PATH=.:$PATH; rg alive');
      expect(existsSync(canary)).toBe(true);
    },
  },
];

describe('the search program', () => {
  testAttacks([...NAMES, ...ARGUMENTS]);

  it('OK-03 finds what looks like an option', async () => {
    await using workspace = tempWorkspace({ ...ALIVE, 'f.txt': 'run it with --pre and $(that); or `so`\n' });
    const surface = await library(workspace);
    for (const { shows, search } of SEARCHES) {
      const answer = await expectAllowed(surface, workspace, search('--pre and'));
      expect(shownPaths(answer)).toContain('f.txt');
      expect(shownLines(answer)).toHaveLength(shows === 'lines' ? 1 : 0);
    }
  });
});
