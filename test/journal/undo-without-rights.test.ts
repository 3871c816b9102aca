/** Work and undo of a user whom the operating system does not permit everything: root never meets these. */
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Mode } from '../../src/index.ts';
import { leftOut } from '../host/local/fixtures/left-out.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';
import { treeOf } from './fixtures/tree.ts';
import type { Told } from './fixtures/work-and-tell.ts';
import type { Change } from './fixtures/work.ts';

const NOBODY = 65_534;
const asUser = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
const program = fileURLToPath(new URL('fixtures/work-and-tell.ts', import.meta.url));

const probe = spawnSync(process.execPath, ['--check', program], { ...asUser, stdio: 'ignore' });
const whyNot = probe.status === 0 ? undefined : leftOut('another user can not run what is tested');

/** A workspace that belongs to the user. */
function workspaceOfUser(files: Readonly<Record<string, string>>): TempWorkspace {
  const workspace = tempWorkspace(files);
  const { root, locations } = workspace;
  const folders = [dirname(root), root, locations.home];
  const paths = [...folders, ...Object.keys(treeOf(root)).map((path) => join(root, path))];
  if (asUser.uid !== undefined) for (const path of paths) chownSync(path, NOBODY, NOBODY);
  return workspace;
}

function asThem<Said>({ root, locations }: TempWorkspace, mode: Mode, changes: readonly Change[]): Said[] {
  const args = [program, root, JSON.stringify(locations), mode, JSON.stringify(changes)];
  const { stdout } = spawnSync(process.execPath, args, { ...asUser, stdio: ['ignore', 'pipe', 'inherit'] });
  return JSON.parse(stdout.toString()) as Said[];
}

const change = (workspace: TempWorkspace, mode: Mode, ...changes: Change[]): Told[] =>
  asThem<Told>(workspace, mode, changes);
const undo = (workspace: TempWorkspace): Record<string, string> =>
  asThem<Record<string, string>>(workspace, 'auto', [])[0]!;

describe('undo without all rights', () => {
  it('gives back a directory that nobody may write to, at its old place and in its old mode', async ({
    skip,
  }) => {
    skip(whyNot !== undefined, whyNot);
    await using workspace = workspaceOfUser({ 'd/x': 'x', 'd/e/y': 'y' });
    const { root } = workspace;
    chmodSync(join(root, 'd/e'), 0o500);
    chmodSync(join(root, 'd'), 0o555);
    const before = treeOf(root);
    expect(change(workspace, 'auto', ['move', 'd', 'moved'])).toMatchObject([{ outcome: 'ok' }]);
    expect(Object.keys(treeOf(root))).toContain('moved/e/y');
    expect(undo(workspace)).toEqual({
      d: 'restore',
      'd/x': 'restore',
      'd/e': 'restore',
      'd/e/y': 'restore',
      moved: 'remove',
      'moved/x': 'remove',
      'moved/e': 'remove',
      'moved/e/y': 'remove',
    });
    expect(treeOf(root)).toEqual(before);
  });

  it('closes a directory again that holds something else and stays', async ({ skip }) => {
    skip(whyNot !== undefined, whyNot);
    await using workspace = workspaceOfUser({ 'd/x': 'x' });
    const { root } = workspace;
    chmodSync(join(root, 'd'), 0o555);
    change(workspace, 'auto', ['move', 'd', 'moved']);
    chmodSync(join(root, 'moved'), 0o755);
    mkdirSync(join(root, 'moved/mine'));
    chmodSync(join(root, 'moved'), 0o555);
    expect(undo(workspace)).toEqual({
      d: 'restore',
      'd/x': 'restore',
      moved: 'conflict: it holds 1 other entry now',
      'moved/x': 'remove',
    });
    expect(treeOf(root)).toMatchObject({ d: 'directory 555', moved: 'directory 555' });
    expect(Object.keys(treeOf(root))).toEqual(['d', 'd/x', 'moved', 'moved/mine']);
  });
});

describe('a file that may not be read', () => {
  it('is asked about in the mode reversible, since it can not be kept', async ({ skip }) => {
    skip(whyNot !== undefined, whyNot);
    await using workspace = workspaceOfUser({ closed: 'x' });
    chmodSync(join(workspace.root, 'closed'), 0o000);
    const told = change(workspace, 'reversible', ['delete', 'closed'], ['move', 'closed', 'moved']);
    const asked = { outcome: 'denied', effects: [], asked: ['mode:reversible'] };
    expect(told).toEqual([asked, asked]);
    expect(existsSync(join(workspace.root, 'closed'))).toBe(true);
  });

  it('can be deleted and moved, for good, and undo leaves it alone', async ({ skip }) => {
    skip(whyNot !== undefined, whyNot);
    await using workspace = workspaceOfUser({ deleted: 'x', moved: 'y', 'd/in': 'z', 'd/other': 'o' });
    const { root } = workspace;
    for (const path of ['deleted', 'moved', 'd/in']) chmodSync(join(root, path), 0o000);
    const told = change(
      workspace,
      'auto',
      ['delete', 'deleted'],
      ['move', 'moved', 'there'],
      ['delete', 'd'],
    );
    expect(told.map(({ outcome }) => outcome)).toEqual(['ok', 'ok', 'ok']);
    const forGood = told.flatMap(({ effects }) => effects).filter(({ reversible }) => !reversible);
    expect(forGood.map(({ path }) => path)).toEqual(['deleted', 'moved', 'd/in']);
    expect(undo(workspace)).toEqual({
      deleted: 'lost: its content was not kept',
      moved: 'lost: its content was not kept',
      there: 'conflict: what is there can not be compared',
      d: 'restore',
      'd/in': 'lost: its content was not kept',
      'd/other': 'restore',
    });
    expect(lstatSync(join(root, 'there')).mode & 0o777).toBe(0);
  });
});
