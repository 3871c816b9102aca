import { mkdirSync, renameSync, symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pinRoot } from '../../../../src/host/local/root.ts';
import { workspaceMounts } from '../../../../src/host/local/sandbox/workspace-mounts.ts';
import type { Confinement } from '../../../../src/host/ports.ts';
import { CONFINED } from '../../../support/commands.ts';
import { tempWorkspace, type TempWorkspace } from '../../../support/temp-workspace.ts';

function mountsOf(workspace: TempWorkspace, confinement: Partial<Confinement> = {}) {
  using root = pinRoot(workspace.root, workspace.locations.home);
  return workspaceMounts(root, { ...CONFINED, ...confinement }, []);
}

/** The arguments with paths as the workspace spells them. */
function told(workspace: TempWorkspace, args: readonly string[]): string {
  return args.join(' ').replaceAll(workspace.root, 'WS');
}

describe('workspaceMounts', () => {
  it('mounts the workspace, and in it every folder on the way to what is held', async () => {
    await using workspace = tempWorkspace({ 'a/b/c.txt': '', 'a/d/e.txt': '' });
    const { args } = mountsOf(workspace, { frozen: ['a/b/c.txt', 'missing/x'], hidden: ['a/d'] });
    expect(told(workspace, args)).toBe(
      '--bind WS WS --bind WS/a WS/a --tmpfs WS/a/d --remount-ro WS/a/d --bind WS/a/b WS/a/b --ro-bind WS/a/b/c.txt WS/a/b/c.txt',
    );
  });

  it("holds git's hooks and settings, and those of submodules, and makes a folder for hooks", async () => {
    await using workspace = tempWorkspace({ '.git/config': '', '.git/modules/m/config': '' });
    expect(told(workspace, mountsOf(workspace).args).split(' --').sort()).toEqual([
      '--bind WS WS',
      'bind WS/.git WS/.git',
      'bind WS/.git/modules WS/.git/modules',
      'bind WS/.git/modules/m WS/.git/modules/m',
      'ro-bind WS/.git/config WS/.git/config',
      'ro-bind WS/.git/hooks WS/.git/hooks',
      'ro-bind WS/.git/modules/m/config WS/.git/modules/m/config',
      'ro-bind WS/.git/modules/m/hooks WS/.git/modules/m/hooks',
    ]);
  });

  it.each([
    ['a file that names another place', { '.git': 'gitdir: ../x\n' }, '--ro-bind WS/.git WS/.git'],
    ['no repository yet', { '.git/HEAD': '' }, '--ro-bind WS/.git WS/.git'],
    [
      'many submodules',
      Object.fromEntries(
        ['config', ...Array.from('abcdefgh', (name) => `modules/${name}/config`)].map((name) => [
          `.git/${name}`,
          '',
        ]),
      ),
      '--ro-bind WS/.git/modules WS/.git/modules',
    ],
    [
      'submodules in folders',
      { '.git/config': '', '.git/modules/a/b/config': '' },
      '--ro-bind WS/.git/modules WS/.git/modules',
    ],
  ])('holds all of it where .git is %s', async (_, files, expected) => {
    await using workspace = tempWorkspace(files);
    expect(told(workspace, mountsOf(workspace).args)).toContain(expected);
  });

  it('needs no mounts inside of what can not be changed', async () => {
    await using workspace = tempWorkspace({ '.git/config': '', 'a/b.txt': '' });
    const { args } = mountsOf(workspace, { isReadOnly: true, hidden: ['a/b.txt'], frozen: ['a'] });
    expect(told(workspace, args)).toBe('--ro-bind WS WS --ro-bind /dev/null WS/a/b.txt');
  });

  it('notices what was swapped before it was mounted', async () => {
    await using workspace = tempWorkspace({ '.git/config': '', 'other/config': '' });
    const mounts = mountsOf(workspace);
    expect(() => mounts.verify('')).not.toThrow();
    const [git, aside] = [join(workspace.root, '.git'), join(workspace.root, 'aside')];
    renameSync(git, aside);
    symlinkSync('/', git);
    expect(() => mounts.verify('')).toThrow('nothing was run');
    unlinkSync(git);
    mkdirSync(git);
    expect(() => mounts.verify('')).toThrow('nothing was run');
  });

  it('notices what should be hidden and is not', async () => {
    await using workspace = tempWorkspace({ 'h.txt': '' });
    expect(() => mountsOf(workspace, { hidden: ['h.txt'] }).verify('')).toThrow('nothing was run');
  });
});
