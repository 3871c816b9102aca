/** What works on the workspace only, and how a command is run again where it tried that in a view. */
import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandsIn, told } from '../../../support/commands.ts';
import { tempWorkspace } from '../../../support/temp-workspace.ts';
import { captured } from '../view/fixtures/captured.ts';
import { describedTree } from '../view/fixtures/described-tree.ts';

const FILES = { 'd/e/1': '1\n', 'd/2': '2\n', 'f/3': '3\n' };
const RENAMED = [
  'folder 755 f',
  'file "3\\n" 644 f/3',
  'folder 755 g',
  'file "2\\n" 644 g/2',
  'folder 755 g/e',
  'file "1\\n" 644 g/e/1',
];

const RENAMES: readonly [by: string, line: string, directory?: string][] = [
  ['node', `node -e 'fs.renameSync("d", "g")'`],
  ['node, by whole paths', `node -e 'fs.renameSync(process.cwd() + "/d", process.cwd() + "/g")'`],
  ['node, from a folder', `node -e 'fs.renameSync("../d", "../g")'`, 'f'],
  ['python', `python3 -c 'import os; os.rename("d", "g")'`],
  ['perl, which says what it likes', `perl -e 'rename("d/", "g") or die "can not move (d): $!"'`],
  ['python, in a command that goes on', `python3 -c 'import os; os.rename("d", "g")'; true`],
  ['mv, which copies', 'mv d g'],
];

describe('runInView', () => {
  it.skipIf(process.getuid?.() !== 0)(
    'is not done where something is mounted below the workspace',
    async () => {
      await using workspace = tempWorkspace({ 'below/hidden': '' });
      const mounted = join(workspace.root, 'below');
      execFileSync('mount', ['-t', 'tmpfs', 'none', mounted]);
      try {
        writeFileSync(join(mounted, 'seen'), '');
        using commands = commandsIn(workspace);
        expect(await commands.sandbox()).toMatchObject({ undo: 'part' });
        await expect(captured(commands, 'ls below')).rejects.toMatchObject({
          code: 'E_UNSUPPORTED',
          message: expect.stringContaining('something is mounted below it') as string,
        });
        const capture = { way: 'any', mustCover: false, label: '' } as const;
        expect(told(await captured(commands, 'ls below', { capture })).stdout).toBe('seen\n');
      } finally {
        execFileSync('umount', [mounted]);
      }
    },
  );

  it.each(RENAMES)('renames a folder by %s', async (_, line, directory = '.') => {
    await using workspace = tempWorkspace(FILES);
    using commands = commandsIn(workspace, { environment: { PATH: '/usr/local/bin:/usr/bin:/bin' } });
    const result = await captured(commands, line, { directory });
    expect(told(result)).toMatchObject({ exitCode: 0, stderr: '' });
    await result.changes.takeOver();
    await result.changes[Symbol.asyncDispose]();
    expect(describedTree(workspace.root)).toEqual(RENAMED);
  });

  it('renames several folders, runs the command as often, and says so', async () => {
    await using workspace = tempWorkspace(FILES);
    using commands = commandsIn(workspace, { environment: { PATH: '/usr/local/bin:/usr/bin:/bin' } });
    const line = `echo run; python3 -c 'import os; os.rename("d", "g"); os.rename("f", "h"); os.rename("g/e", "e")'`;
    const result = await captured(commands, line);
    await using changes = result.changes;
    expect(told(result)).toMatchObject({ exitCode: 0, stdout: 'run\n' });
    expect(changes.notes).toEqual([
      'The command was run 3 times, each time anew: it renames folders ("d", "f"), of which a view has to have copies first.',
    ]);
    await changes.takeOver();
    expect(describedTree(workspace.root).map((entry) => entry.split(' ').at(-1))).toEqual([
      'e',
      'e/1',
      'g',
      'g/2',
      'h',
      'h/3',
    ]);
  });

  it('changes nothing but what the command did with a folder that was copied', async () => {
    await using workspace = tempWorkspace(FILES);
    using commands = commandsIn(workspace, { environment: { PATH: '/usr/local/bin:/usr/bin:/bin' } });
    const line = `python3 -c 'import os; os.rename("d", "g"); os.rename("g", "d"); open("d/2", "w").close()'`;
    await using changes = (await captured(commands, line)).changes;
    expect(changes.entries.map(({ path }) => path)).toEqual(['d/2']);
  });

  it.each([
    ['holds what is hidden', { hidden: ['d/2'] }],
    ['holds what is frozen', { frozen: ['d/e'] }],
  ])('does not copy a folder that %s', async (_, confinement) => {
    await using workspace = tempWorkspace(FILES);
    using commands = commandsIn(workspace, { environment: { PATH: '/usr/local/bin:/usr/bin:/bin' } });
    const result = await captured(commands, `python3 -c 'import os; os.rename("d", "g")'`, { confinement });
    expect(told(result).exitCode).toBe(1);
    expect(result.changes.entries).toEqual([]);
  });

  it('runs on the workspace itself, with copies, where that may be', async () => {
    await using workspace = tempWorkspace(FILES);
    using commands = commandsIn(workspace, { environment: { PATH: '/usr/local/bin:/usr/bin:/bin' } });
    const line = `perl -e 'rename("d", "g") or die "no: $!"'`;
    const inView = await captured(commands, line);
    expect(told(inView)).toMatchObject({
      exitCode: 18,
      stderr: 'no: Invalid cross-device link at -e line 1.\n',
    });
    expect(inView.changes.notes).toEqual([
      'It may have failed for being run in a view: the command renames a folder, which it can not do in one.',
    ]);
    const capture = { way: 'any', mustCover: true, label: 'a label' } as const;
    const result = await captured(commands, line, { capture });
    expect(told(result)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(result.changes.isApplied).toBe(true);
    expect(existsSync(join(workspace.root, 'g/2'))).toBe(true);
  });
});
