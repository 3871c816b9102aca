/** Patches as a way out: names in their headers, links under their names, and what happens while they are applied. */
import { linkSync, mkdirSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { treeOf } from '../journal/fixtures/tree.ts';
import { approver } from '../support/approver.ts';
import { OUTSIDE_SECRET, type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';
import { ALIVE, type Attack, expectRefused, testAttacks } from './attack-case.ts';
import { callOn, PLANTED, toolsThat } from './file-tools.ts';
import { commandLine, library, type ToolCall } from './surfaces.ts';

const patching = (patch: string): ToolCall => ({ dialect: 'handrail', tool: 'patch', args: { patch } });
const FINE = '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-a\n+changed\n';
const PLANT = `@@ -0,0 +1 @@\n+${PLANTED}`;
const STEAL = '@@ -1 +1 @@\n-outside secret\n+planted\n';

/** Each tries to get out by another kind of header; a good file comes first, and must not be changed either. */
function headers({ outside }: TempWorkspace): string[] {
  return [
    `--- /dev/null\n+++ b/../out/x\n${PLANT}`,
    `--- /dev/null\n+++ b/../../out/x\n${PLANT}`,
    `--- /dev/null\n+++ ../out/x\n${PLANT}`,
    `--- /dev/null\n+++ ${outside}/x\n${PLANT}`,
    `--- /dev/null\n+++ b/${outside}/x\n${PLANT}`,
    `--- /dev/null\n+++ b/link/x\n${PLANT}`,
    `--- /dev/null\n+++ "b/\\056\\056/out/x"\n${PLANT}`,
    `--- /dev/null\n+++ "b/d\\000/../x"\n${PLANT}`,
    `--- a/../out/s.txt\n+++ b/../out/s.txt\n${STEAL}`,
    `--- a/link/s.txt\n+++ b/link/s.txt\n${STEAL}`,
    `--- a/../out/s.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-outside secret\n`,
    `--- ../out/s.txt.orig\n+++ ../out/s.txt\n${STEAL}`,
    'diff --git a/alive.txt b/x\nrename from alive.txt\nrename to ../out/x\n',
    'diff --git a/alive.txt b/x\nrename from alive.txt\nrename to link/x\n',
    'diff --git a/x b/x\nrename from ../out/s.txt\nrename to stolen.txt\n',
    'diff --git a/../out/x b/../out/x\nnew file mode 100644\n',
    'diff --git a/../out/s.txt b/../out/s.txt\nold mode 100644\nnew mode 100755\n',
    '*** Begin Patch\n*** Add File: ../out/x\n+planted\n*** End Patch\n',
    '*** Begin Patch\n*** Delete File: ../out/s.txt\n*** End Patch\n',
    '*** Begin Patch\n*** Update File: alive.txt\n*** Move to: ../out/x\n*** End Patch\n',
  ];
}

function layOut(): TempWorkspace {
  const workspace = tempWorkspace({ ...ALIVE, 'a.txt': 'a\n' });
  symlinkSync(workspace.outside, join(workspace.root, 'link'));
  return workspace;
}

/** Takes names as they come, as `git apply --unsafe-paths` does. */
function applyUndefended({ root }: TempWorkspace, patch: string): void {
  const name = /^\+\+\+ (?:b\/)?(.+)$/m.exec(patch)![1]!;
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), PLANTED);
}

const ATTACKS: readonly Attack[] = [
  {
    id: 'GT-09',
    title: 'names in headers that leave the workspace (CVE-2026-32060)',
    attack: async () => {
      await using workspace = layOut();
      const surface = await library(workspace);
      const before = treeOf(workspace.root);
      for (const header of headers(workspace)) {
        // The marked form is one of its own; elsewhere a good file comes first.
        const patch = header.startsWith('***') ? header : FINE + header;
        await expectRefused(surface, workspace, patching(patch), ['E_OUTSIDE_WORKSPACE', 'E_INVALID_PATH']);
        expect(treeOf(workspace.root)).toEqual(before);
      }
      const [first] = headers(workspace);
      await expectRefused(commandLine(workspace), workspace, patching(FINE + first!), [
        'E_OUTSIDE_WORKSPACE',
      ]);
    },
    bites: async () => {
      await using workspace = layOut();
      applyUndefended(workspace, headers(workspace)[0]!);
      expect(readFileSync(join(workspace.outside, 'x'), 'utf8')).toBe(PLANTED);
    },
  },
  {
    id: 'LN-03',
    title: 'a hard link to a file outside',
    attack: async () => {
      for (const tool of toolsThat('edit', 'patch', 'patch to delete')) {
        await using workspace = tempWorkspace(ALIVE);
        const secret = join(workspace.outside, 's.txt');
        linkSync(secret, join(workspace.root, 'hard.txt'));
        const surface = await library(workspace);
        expect((await surface.call(callOn(tool, 'hard.txt'))).outcome).toBe('ok');
        expect([readFileSync(secret, 'utf8'), statSync(secret).nlink]).toEqual([OUTSIDE_SECRET, 1]);
      }
    },
    bites: async () => {
      await using workspace = tempWorkspace();
      linkSync(join(workspace.outside, 's.txt'), join(workspace.root, 'hard.txt'));
      writeFileSync(join(workspace.root, 'hard.txt'), PLANTED);
      expect(readFileSync(join(workspace.outside, 's.txt'), 'utf8')).toBe(PLANTED);
    },
  },
  {
    id: 'LN-06',
    title: 'a folder that becomes a link while a human is asked',
    attack: async () => {
      for (const tool of toolsThat(
        'edit',
        'patch',
        'patch to make',
        'patch to delete',
        'patch to rename to',
      )) {
        const path =
          tool.does === 'patch to make' || tool.does === 'patch to rename to' ? 'd/new.txt' : 'd/s.txt';
        await using workspace = tempWorkspace({ ...ALIVE, 'd/s.txt': OUTSIDE_SECRET });
        let questions = 0;
        const surface = await library(workspace, {
          // Not every dialect asks of itself.
          rules: [{ action: 'ask', permission: ['fs.write', 'fs.delete'] }],
          async approve() {
            questions++;
            renameSync(join(workspace.root, 'd'), join(workspace.root, 'd.kept'));
            symlinkSync(workspace.outside, join(workspace.root, 'd'));
            return { answer: 'once' };
          },
        });
        await expectRefused(surface, workspace, callOn(tool, path), ['E_CONFLICT', 'E_NOT_DIR']);
        expect({ tool, questions }).toEqual({ tool, questions: 1 });
      }
    },
    bites: { noProof: 'the swap itself is shown to harm among the races of links' },
  },
];

describe('patches', () => {
  testAttacks(ATTACKS);

  it('are not obeyed where one of their files is denied', async () => {
    await using workspace = tempWorkspace({ ...ALIVE, 'a.txt': 'a\n', '.git/config': '[core]\n' });
    const before = treeOf(workspace.root);
    const surface = await library(workspace, {
      rules: [{ action: 'deny', permission: 'fs.write', path: 'b.txt' }],
    });
    const denied = [
      `--- /dev/null\n+++ b/b.txt\n${PLANT}`,
      `--- /dev/null\n+++ b/.git/hooks/pre-commit\n${PLANT}`,
      '--- a/.git/config\n+++ b/.git/config\n@@ -1 +1 @@\n-[core]\n+[evil]\n',
      'diff --git a/alive.txt b/b.txt\nrename from alive.txt\nrename to b.txt\n',
    ];
    for (const patch of denied)
      await expectRefused(surface, workspace, patching(FINE + patch), ['E_POLICY_DENIED']);
    expect(treeOf(workspace.root)).toEqual(before);
  });

  it('tell nothing of a file that may not be read before somebody says so', async () => {
    await using workspace = tempWorkspace({ ...ALIVE, '.env': 'KEY=s3cr3t\nOTHER=1\n' });
    const surface = await library(workspace, { approve: approver('deny') });
    const guesses = ['KEY=a', 'KEY=s3cr3t', 'OTHER', 'E'].flatMap((guess) => [
      { tool: 'edit', args: { path: '.env', old_string: guess, new_string: 'x' } },
      { tool: 'patch', args: { patch: `--- a/.env\n+++ b/.env\n@@\n-${guess}\n+x\n` } },
      { tool: 'patch', args: { patch: `--- a/.env\n+++ b/.env\n@@\n-${guess}\n+x\n`, dry_run: true } },
    ]);
    for (const guess of guesses) {
      const { outcome, text } = await surface.call({ dialect: 'coder', ...guess });
      expect({ guess, outcome, tells: /KEY|OTHER/.test(text) }).toEqual({
        guess,
        outcome: 'denied',
        tells: false,
      });
    }
  });

  it('of two sessions on one file are both there, or one is told', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'one\ntwo\nthree\n' });
    const runtime = await workspace.runtime({
      rules: [{ action: 'allow', permission: ['fs.write', 'fs.delete'] }],
    });
    const sessions = [await runtime.openSession({}), await runtime.openSession({})];
    const replies = await Promise.all(
      ['one', 'three'].map((word, index) => {
        const patch = `--- a/a.txt\n+++ b/a.txt\n@@\n-${word}\n+${word}!\n`;
        return runtime.call('patch', { patch }, { session: sessions[index]! });
      }),
    );
    expect(replies.map(({ outcome }) => outcome)).toEqual(['ok', 'ok']);
    expect(readFileSync(join(workspace.root, 'a.txt'), 'utf8')).toBe('one!\ntwo\nthree!\n');
  });
});
