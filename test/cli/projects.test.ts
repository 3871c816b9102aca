/** `handrail projects`, and `--project` in place of `--workspace`. */
import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { handrail } from '../support/command-line.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';

function folder(workspace: TempWorkspace, name: string): string {
  const path = join(workspace.root, '..', name);
  mkdirSync(path, { recursive: true });
  return path;
}

const listed = async (workspace: TempWorkspace): Promise<{ id: string; trust: string }[]> =>
  JSON.parse((await handrail(workspace, ['projects', 'list', '--json'])).stdout);

describe('handrail projects', () => {
  it('registers the current folder under its name, and lists it', async () => {
    await using workspace = tempWorkspace();
    expect(await handrail(workspace, ['projects'])).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: 'No project is registered yet: `handrail projects add` in its folder.\n',
    });
    expect(await handrail(workspace, ['projects', 'add'])).toEqual({
      exitCode: 0,
      stdout: 'ws\n',
      stderr: '',
    });
    const { stdout } = await handrail(workspace, ['projects']);
    expect(stdout.split('\n').map((line) => line.split(/ +/))).toEqual([
      ['PROJECT', 'NAME', 'DIALECT', 'MODE', 'SETTINGS', 'FOLDER'],
      ['ws', 'ws', 'none', workspace.root],
      [''],
    ]);
  });

  it('takes an id, a name, a dialect and a mode', async () => {
    await using workspace = tempWorkspace();
    const notes = folder(workspace, 'My Nötes (old)');
    const chosen = ['--id', 'Notes_1', '--name', 'Old notes', '--dialect', 'tenas', '--mode', 'read-only'];
    expect((await handrail(workspace, ['projects', 'add', notes, ...chosen])).stdout).toBe('Notes_1\n');
    expect(await listed(workspace)).toEqual([
      {
        id: 'Notes_1',
        name: 'Old notes',
        root: notes,
        settings: { dialect: 'tenas', mode: 'read-only' },
        addedAt: expect.any(Number),
        trust: 'none',
      },
    ]);
  });

  it('makes readable ids of any names, each of its own', async () => {
    await using workspace = tempWorkspace();
    const names = ['My Nötes (old)', 'deep/my-notes-old', '日本', 'deep/__'];
    const ids: string[] = [];
    for (const name of names)
      ids.push((await handrail(workspace, ['projects', 'add', folder(workspace, name)])).stdout.trim());
    expect(ids).toEqual(['my-notes-old', 'my-notes-old-2', 'project', 'project-2']);
  });

  it('says where one project lies in another', async () => {
    await using workspace = tempWorkspace({ 'packages/app/a.txt': 'a' });
    await handrail(workspace, ['projects', 'add']);
    expect(await handrail(workspace, ['projects', 'add', 'packages/app'])).toMatchObject({
      stdout: 'app\n',
      stderr: 'It lies in the project ws, whose sessions reach it too.\n',
    });
    expect(await handrail(workspace, ['projects', 'add', 'packages'])).toMatchObject({
      stdout: 'packages\n',
      stderr:
        'It holds the project app, which its sessions reach too.\nIt lies in the project ws, whose sessions reach it too.\n',
    });
  });

  it.each<[what: string, args: string[], says: string, exitCode: number]>([
    ['a folder that is missing', ['nowhere'], 'does not exist', 1],
    ['a file', ['a.txt'], 'is not a folder', 1],
    ['the root of the file system', ['/'], 'can not be a workspace', 1],
    ['the home folder', ['../home'], 'can not be a workspace', 1],
    ["Handrail's own folder", ['../xdg-state/handrail'], "lies in Handrail's own folders", 1],
    ['a dialect that is not known', ['--dialect', 'tennis'], 'Did you mean tenas?', 2],
    ['an id with a slash', ['--id', 'a/b'], 'can not be the id of a project', 2],
    ['an id with a bracket', ['--id', 'a]'], 'can not be the id of a project', 2],
    ['an id of dots', ['--id', '..'], 'can not be the id of a project', 2],
    ['an id that could be an option', ['--id=-x'], 'can not be the id of a project', 2],
    ['an empty id', ['--id', ''], 'can not be the id of a project', 2],
    ['an id that is too long', ['--id', 'a'.repeat(65)], 'can not be the id of a project', 2],
  ])('refuses %s', async (_what, args, says, exitCode) => {
    await using workspace = tempWorkspace({ 'a.txt': 'a' });
    await handrail(workspace, ['projects']);
    expect(await handrail(workspace, ['projects', 'add', ...args])).toEqual({
      exitCode,
      stdout: '',
      stderr: expect.stringContaining(says),
    });
    expect(await listed(workspace)).toEqual([]);
  });

  it('refuses a folder twice, also through a link, and an id twice, also in capitals', async () => {
    await using workspace = tempWorkspace();
    await handrail(workspace, ['projects', 'add']);
    const link = join(workspace.root, '..', 'link');
    symlinkSync(workspace.root, link);
    expect(await handrail(workspace, ['projects', 'add', link])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('is the project ws already'),
    });
    const other = folder(workspace, 'other');
    expect(await handrail(workspace, ['projects', 'add', other, '--id', 'WS'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('There is a project "WS" already'),
    });
  });

  it('forgets a project, and says which one could have been meant', async () => {
    await using workspace = tempWorkspace();
    await handrail(workspace, ['projects', 'add', '--id', 'notes']);
    expect(await handrail(workspace, ['projects', 'remove', 'note'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('There is no project "note".\n  Did you mean notes?'),
    });
    expect((await handrail(workspace, ['projects', 'remove', 'notes'])).exitCode).toBe(0);
    expect(await listed(workspace)).toEqual([]);
  });
});

describe('--project', () => {
  it('works in the folder of the project, with its dialect and its mode', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'here\n' });
    const notes = folder(workspace, 'notes');
    await handrail(workspace, ['projects', 'add', notes, '--dialect', 'tenas', '--mode', 'read-only']);
    const write = ['{"path":"a.txt","content":"there\\n"}', '--project', 'notes', '--yes'];
    expect(await handrail(workspace, ['call', 'file-write', ...write])).toMatchObject({
      exitCode: 3,
      stdout: expect.stringContaining('Mode read-only does not permit fs.write'),
    });
    expect((await handrail(workspace, ['call', 'file-write', ...write, '--mode', 'ask'])).exitCode).toBe(0);
    const { stdout } = await handrail(workspace, [
      'call',
      'file-read',
      '{"path":"a.txt"}',
      '--project',
      'notes',
    ]);
    expect(JSON.parse(stdout).data.content).toBe('there\n');
    expect((await handrail(workspace, ['turns', '--project', 'notes'])).stdout).toMatch(/work +1/);
    expect((await handrail(workspace, ['turns'])).stderr).toContain('Nothing was changed in this workspace');
    const audited = JSON.parse(
      (await handrail(workspace, ['audit', 'list', '--json', '--project', 'notes'])).stdout,
    );
    expect(audited.map(({ workspace: root }: { workspace: string }) => root)).toEqual([notes, notes, notes]);
  });

  it('is not for one who names a workspace too', async () => {
    await using workspace = tempWorkspace();
    const both = ['turns', '--project', 'ws', '--workspace', '.'];
    expect(await handrail(workspace, both)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("'--project <id>' cannot be used with option '--workspace <folder>'"),
    });
  });

  it('names a project that is not registered: a failure of its own', async () => {
    await using workspace = tempWorkspace();
    expect(await handrail(workspace, ['turns', '--project', 'nothing'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('There is no project "nothing".'),
    });
  });

  it('does not follow a project whose folder is gone, or leads into another', async () => {
    await using workspace = tempWorkspace();
    const notes = folder(workspace, 'notes');
    await handrail(workspace, ['projects', 'add', notes]);
    renameSync(notes, `${notes}-moved`);
    expect(await handrail(workspace, ['turns', '--project', 'notes'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('of the project notes is gone.'),
    });
    expect(await listed(workspace)).toMatchObject([{ id: 'notes', trust: 'folder gone' }]);
    symlinkSync(workspace.root, notes);
    expect(await handrail(workspace, ['turns', '--project', 'notes'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(`of the project notes leads to ${JSON.stringify(workspace.root)} now.`),
    });
    rmSync(notes);
  });
});
