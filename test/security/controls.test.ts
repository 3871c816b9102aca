/** What has to work: a defence that stands in the way of these is broken. */
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Rule } from '../../src/index.ts';
import { approver } from '../support/approver.ts';
import { tempWorkspace } from '../support/temp-workspace.ts';
import { ALIVE, expectAllowed, expectHarmless, testWaiting } from './attack-case.ts';
import { runUndefended } from './commanding.ts';
import { callOn, PLANTED, toolsThat } from './file-tools.ts';
import { commandLine, library } from './surfaces.ts';

const NAMES = [
  '..foo',
  'a..b',
  '.hidden',
  '100%.txt',
  '%20.txt',
  '50%25 off.txt',
  'price $HOME.txt',
  'back~up~1.txt',
  'a~',
  'with blanks in it.txt',
  'quote\'s "double".txt',
  'back\\slash.txt',
  'colon:name.txt',
  '\u{1f600}.txt',
  '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}.txt',
  '\u05e9\u05dc\u05d5\u05dd.txt',
  '\u0645\u0631\u062d\u0628\u0627.txt',
  'cafe\u0301.txt',
  'caf\u00e9.txt',
  'console.txt',
  'nullable.ts',
  'git~x',
  'x'.repeat(255),
];

describe('names', () => {
  it.each(NAMES)('OK-01 %j is written, read, listed and deleted', async (name) => {
    await using workspace = tempWorkspace(ALIVE);
    const surface = await library(workspace);
    for (const tool of [...toolsThat('write'), ...toolsThat('read')]) {
      await expectAllowed(surface, workspace, callOn(tool, name));
    }
    expect(readFileSync(join(workspace.root, name), 'utf8')).toBe(PLANTED);
    for (const tool of toolsThat('list')) {
      const { text } = await expectHarmless(surface, workspace, callOn(tool, '.'));
      expect(text).toContain(JSON.stringify(name).slice(1, -1));
    }
    const [remove] = toolsThat('delete');
    await expectAllowed(surface, workspace, callOn(remove!, name));
    expect(readdirSync(workspace.root)).toEqual(['alive.txt']);
  });

  it('OK-01 work on the command line', async () => {
    await using workspace = tempWorkspace(ALIVE);
    const [write] = toolsThat('write');
    for (const name of ['..foo', '\u05e9\u05dc\u05d5\u05dd \u{1f600}.txt']) {
      expect((await expectHarmless(commandLine(workspace), workspace, callOn(write!, name))).outcome).toBe(
        'ok',
      );
      expect(readFileSync(join(workspace.root, name), 'utf8')).toBe(PLANTED);
    }
  });
});

describe('links', () => {
  it('OK-02 inside the workspace are followed', async () => {
    await using workspace = tempWorkspace({ ...ALIVE, 'real/deep/x.txt': 'inside\n' });
    symlinkSync('real', join(workspace.root, 'relative'));
    symlinkSync(join(workspace.root, 'real/deep'), join(workspace.root, 'absolute'));
    symlinkSync('../../alive.txt', join(workspace.root, 'real/deep/up'));
    symlinkSync('real/new.txt', join(workspace.root, 'not-yet'));
    const surface = await library(workspace);
    for (const path of ['relative/deep/x.txt', 'absolute/x.txt', 'relative/deep/up', 'absolute/up']) {
      for (const tool of toolsThat('read')) {
        await expectAllowed(surface, workspace, callOn(tool, path));
      }
    }
    // Other sessions: those that have read a file write it only as long as nobody else does.
    const writing = await library(workspace);
    for (const tool of toolsThat('write')) {
      for (const path of ['relative/deep/x.txt', 'not-yet', 'absolute/made/y.txt']) {
        await expectAllowed(writing, workspace, callOn(tool, path));
      }
    }
    expect(readFileSync(join(workspace.root, 'real/new.txt'), 'utf8')).toBe(PLANTED);
    expect(readFileSync(join(workspace.root, 'real/deep/made/y.txt'), 'utf8')).toBe(PLANTED);
  });

  it('OK-02 lead to the workspace itself, and its files are named by either path', async () => {
    await using workspace = tempWorkspace(ALIVE);
    const alias = join(dirname(workspace.root), 'state', 'alias');
    mkdirSync(dirname(alias), { mode: 0o700 });
    symlinkSync(workspace.root, alias);
    const surface = await library(workspace, { workspace: alias });
    for (const path of ['alive.txt', `${alias}/alive.txt`, `${workspace.root}/alive.txt`]) {
      const call = { dialect: 'coder', tool: 'read', args: { path } };
      expect(await expectAllowed(surface, workspace, call)).toMatchObject({ outcome: 'ok' });
    }
  });
});

describe('paths', () => {
  it('OK-02 may go up and down again, and be absolute below the root', async () => {
    await using workspace = tempWorkspace({ ...ALIVE, 'a/b/c.txt': '' });
    const surface = await library(workspace);
    for (const path of ['a/../alive.txt', './/a/b/./../../alive.txt', `${workspace.root}//a/../alive.txt`]) {
      const call = { dialect: 'coder', tool: 'read', args: { path } };
      expect(await expectAllowed(surface, workspace, call)).toMatchObject({ outcome: 'ok' });
    }
  });

  // A server in the background (OK-05) is in the stories of processes.
  testWaiting([
    { id: 'OK-06', attack: 'undo of the last edit', until: 'undo', why: 'nothing takes changes back' },
  ]);
});

/** Letters that would do something if anybody took them for syntax. */
const HARMLESS: readonly (readonly [command: string, says: string])[] = [
  [`echo 'a; b && $(c) > d'`, 'a; b && $(c) > d\n'],
  [String.raw`echo "a; \$(b) \`c\` > d | e & f"`, 'a; $(b) `c` > d | e & f\n'],
  [`grep -e '--pre' flags.txt`, 'rg --pre\n'],
  [`git log --format=%s --grep='--output'`, 'about --output=x\n'],
  [`printf '%s\n' 'rm -rf /' '>(touch x)'`, 'rm -rf /\n>(touch x)\n'],
  ['echo a # ; touch x', 'a\n'],
  ["cat <<'END'\n$(touch x) `touch y`\nEND", '$(touch x) `touch y`\n'],
];

describe('commands', () => {
  it('OK-03 with dangerous letters in quotes run unasked, where a rule allows the program', async () => {
    await using workspace = tempWorkspace({ ...ALIVE, 'flags.txt': 'rg --pre\n' });
    const git = 'git -c user.name=a -c user.email=a@localhost';
    runUndefended(workspace, `git init -q . && ${git} commit -q --allow-empty -m 'about --output=x'`);
    const approve = approver('deny');
    const rules: Rule[] = [
      {
        action: 'allow',
        permission: 'proc.exec',
        command: ['echo *', 'grep *', 'git log *', 'printf *', 'cat'],
      },
    ];
    const runtime = await workspace.runtime({ approve, rules });
    for (const [command, says] of HARMLESS) {
      const { reply } = await runtime.call('bash', { command });
      expect({ command, reply }).toMatchObject({ command, reply: { exit_code: 0, stdout: says } });
    }
    expect(approve.asked).toEqual([]);
  });

  it('OK-05 test a project after a yes', async () => {
    const tested = { scripts: { test: 'node --test --test-reporter=tap' } };
    await using workspace = tempWorkspace({
      'package.json': JSON.stringify(tested),
      'a.test.js': "require('node:test')('adds', () => require('node:fs').writeFileSync('ran', ''));\n",
    });
    const approve = approver('once');
    const runtime = await workspace.runtime({ approve, environment: process.env });
    const { outcome, reply } = await runtime.call('bash', { command: 'npm test' });
    expect({ outcome, reply }).toMatchObject({
      outcome: 'ok',
      reply: { sandbox: 'A', stdout: expect.stringContaining('# pass 1') as string },
    });
    expect(approve.asked).toHaveLength(1);
    expect(readdirSync(workspace.root)).toContain('ran');
  });
});
