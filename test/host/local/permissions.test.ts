/** What another user's permission bits forbid; told by a process that is not root, because root may do anything. */
import { chmodSync, chownSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type TempWorkspace, tempWorkspace } from '../../support/temp-workspace.ts';
import { useFilesAsNobody, whyNotAsNobody } from './fixtures/use-files-in-a-child.ts';

const NOBODY = 65_534;
const VERSION = expect.stringMatching(/^\d+:4:/) as string;
const whyNot = whyNotAsNobody();

describe('localFiles of a user without permission', () => {
  it('says no to a folder that can not be entered, and touches nothing in it', async ({ skip }) => {
    skip(whyNot !== undefined, whyNot);
    await using workspace = openToAll({ 'closed/a.txt': 'a', 'closed/d/b.txt': 'b' });
    chmodSync(join(workspace.root, 'closed'), 0o700);
    const members = ['resolve', 'open', 'stat', 'write', 'remove', 'count'];
    const answers = await useFilesAsNobody(workspace, [
      ...members.map((member) => [member, 'closed/a.txt'] as const),
      ['list', 'closed'],
      ['remove', 'closed'],
      ['write', 'closed/new/n.txt'],
    ]);
    expect(new Set(answers.map((answer) => (answer as { code: string }).code))).toEqual(new Set(['E_IO']));
    expect((answers[1] as { message: string }).message).toBe(
      'The operating system does not permit access to "closed/a.txt".',
    );
    expect(tree(workspace.root)).toEqual(['closed', 'closed/a.txt', 'closed/d', 'closed/d/b.txt']);
  });

  it('enters a folder that can not be listed, and looks at nothing in one that can not be entered', async ({
    skip,
  }) => {
    skip(whyNot !== undefined, whyNot);
    await using workspace = openToAll({ 'unlisted/a.txt': 'a', 'entry/b.txt': 'b' });
    chmodSync(join(workspace.root, 'unlisted'), 0o711);
    chmodSync(join(workspace.root, 'entry'), 0o744);
    expect(await useFilesAsNobody(workspace, [['open', 'unlisted/a.txt']])).toEqual(['a']);
    const refused = [
      ['list', 'unlisted'],
      ['remove', 'unlisted'],
      ['open', 'entry/b.txt'],
      ['list', 'entry'],
    ] as const;
    expect(await useFilesAsNobody(workspace, refused)).toEqual(refused.map(([, path]) => noAccess(path)));
    expect(tree(workspace.root)).toEqual(['entry', 'entry/b.txt', 'unlisted', 'unlisted/a.txt']);
  });

  it('says no to an unreadable file', async ({ skip }) => {
    skip(whyNot !== undefined, whyNot);
    await using workspace = openToAll({ 'a.txt': 'a' });
    chmodSync(join(workspace.root, 'a.txt'), 0o600);
    const answers = await useFilesAsNobody(workspace, [
      ['open', 'a.txt'],
      ['stat', 'a.txt'],
    ]);
    expect(answers).toEqual([noAccess('a.txt'), 'file']);
  });

  it('leaves the old content and no temporary file in a folder that can not be written', async ({ skip }) => {
    skip(whyNot !== undefined, whyNot);
    await using workspace = openToAll({ 'd/a.txt': 'old' });
    chmodSync(join(workspace.root, 'd/a.txt'), 0o666);
    const steps = [
      ['write', 'd/a.txt'],
      ['write', 'd/new.txt'],
      ['write', 'd/n/e/w.txt'],
      ['remove', 'd/a.txt'],
    ] as const;
    const answers = await useFilesAsNobody(workspace, steps);
    expect(answers).toEqual(steps.map(([, path]) => noAccess(path)));
    expect([tree(workspace.root), readFileSync(join(workspace.root, 'd/a.txt'), 'utf8')]).toEqual([
      ['d', 'd/a.txt'],
      'old',
    ]);
  });

  it('writes where it may, and a file of its own keeps its mode', async ({ skip }) => {
    skip(whyNot !== undefined, whyNot);
    await using workspace = openToAll({ 'd/own.txt': 'old' });
    chownSync(join(workspace.root, 'd'), NOBODY, NOBODY);
    chownSync(join(workspace.root, 'd/own.txt'), NOBODY, NOBODY);
    chmodSync(join(workspace.root, 'd/own.txt'), 0o640);
    expect(
      await useFilesAsNobody(workspace, [
        ['write', 'd/own.txt'],
        ['write', 'd/n/new.txt'],
        ['remove', 'd/n'],
      ]),
    ).toEqual([VERSION, VERSION, { files: 1 }]);
    const { uid, gid, mode } = statSync(join(workspace.root, 'd/own.txt'));
    expect({ uid, gid, mode: mode & 0o7777 }).toEqual({ uid: NOBODY, gid: NOBODY, mode: 0o640 });
    expect(readFileSync(join(workspace.root, 'd/own.txt'), 'utf8')).toBe('new\n');
  });

  it('says no to a root that can no longer be entered', async ({ skip }) => {
    skip(whyNot !== undefined, whyNot);
    await using workspace = openToAll({ 'a.txt': 'a' });
    chmodSync(workspace.root, 0o700);
    const answers = await useFilesAsNobody(workspace, [
      ['list', '.'],
      ['open', 'a.txt'],
      ['write', 'n.txt'],
    ]);
    expect(answers.map((answer) => (answer as { code: string }).code)).toEqual(['E_IO', 'E_IO', 'E_IO']);
  });
});

/** A workspace whose folders anybody may enter. */
function openToAll(files: Readonly<Record<string, string>>): TempWorkspace {
  const workspace = tempWorkspace(files);
  for (const folder of [dirname(workspace.root), workspace.root, workspace.locations.home])
    chmodSync(folder, 0o755);
  return workspace;
}

function noAccess(path: string): unknown {
  return { code: 'E_IO', message: `The operating system does not permit access to ${JSON.stringify(path)}.` };
}

function tree(root: string): string[] {
  return (readdirSync(root, { recursive: true }) as string[]).sort();
}
