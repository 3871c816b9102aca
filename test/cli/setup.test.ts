/** `handrail setup` as a person meets it: shown first, written in one step, never past a link, and taken back. */
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { clients } from '../../src/cli/setup/clients.ts';
import { treeOf } from '../journal/fixtures/tree.ts';
import { handrail } from '../support/command-line.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';

const VSCODE = '.vscode/mcp.json';

function textOf(workspace: TempWorkspace, path: string): string {
  return readFileSync(join(workspace.root, path), 'utf8');
}

describe('handrail setup', () => {
  it('lists the clients, and which ones seem installed', async () => {
    await using workspace = tempWorkspace();
    mkdirSync(join(workspace.locations.home, '.codex'));
    const { exitCode, stdout } = await handrail(workspace, ['setup']);
    expect(exitCode).toBe(0);
    for (const name of Object.keys(clients)) expect(stdout).toContain(`\n${name} `);
    expect(stdout).toMatch(/\ncodex +Codex +seems installed\n/);
    expect(treeOf(workspace.root)).toEqual({});
  });

  it('knows its clients only', async () => {
    await using workspace = tempWorkspace();
    for (const name of ['emacs', 'constructor', '']) {
      expect(await handrail(workspace, ['setup', name, '--yes'])).toMatchObject({
        exitCode: 2,
        stdout: '',
        stderr: expect.stringContaining('it is one of claude-code, codex, cursor'),
      });
    }
  });

  it.each([
    ['with --dry-run', ['--dry-run', '--yes'], 0],
    ['where nobody can say yes', [], 3],
  ])('shows all of it and writes nothing %s', async (_, options, exitCode) => {
    await using workspace = tempWorkspace({ [VSCODE]: '{\n  "servers": {}\n}\n' });
    const before = treeOf(workspace.root);
    const ran = await handrail(workspace, ['setup', 'vscode', ...options]);
    expect(ran).toMatchObject({ exitCode, stderr: expect.stringContaining('Nothing was written.\n') });
    expect(ran.stdout).toContain(`── ${workspace.root}/${VSCODE}\n@@ `);
    expect(ran.stdout).toContain(`\n+        "${workspace.root}"\n`);
    expect(ran.stderr).toContain("Not switched off: the file and terminal tools of VS Code's agent");
    expect(treeOf(workspace.root)).toEqual(before);
  });

  it('shows control characters of a file instead of sending them', async () => {
    await using workspace = tempWorkspace({ [VSCODE]: '{ // \u001b[2J\n  "servers": {}\n}\n' });
    const { stdout } = await handrail(workspace, ['setup', 'vscode', '--dry-run']);
    expect(stdout).toContain('\\u001b[2J');
    expect(stdout).not.toContain('\u001b');
  });

  it('names the workspace, blanks and quotes and all', async () => {
    await using workspace = tempWorkspace();
    const folder = join(workspace.root, 'my "best" läden');
    mkdirSync(folder);
    const args = ['setup', 'codex', '--workspace', folder, '--yes'];
    expect(await handrail(workspace, args)).toMatchObject({ exitCode: 0 });
    const text = readFileSync(join(folder, '.codex/config.toml'), 'utf8');
    expect(text).toContain(`"--workspace", ${JSON.stringify(folder)}]`);
  });

  it('refuses a folder whose name a client would take for a variable', async () => {
    await using workspace = tempWorkspace();
    const folder = join(workspace.root, 'a$HOME');
    mkdirSync(folder);
    expect(await handrail(workspace, ['setup', 'gemini', '--workspace', folder, '--yes'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('looks like a variable'),
    });
    expect(treeOf(folder)).toEqual({});
  });

  it('writes nothing at all where one of the files is broken, and says which line', async () => {
    await using workspace = tempWorkspace({ '.claude/settings.local.json': '{\n  "permissions": \n}\n' });
    const before = treeOf(workspace.root);
    const ran = await handrail(workspace, ['setup', 'claude-code', '--yes']);
    expect(ran).toMatchObject({ exitCode: 1, stdout: '' });
    expect(ran.stderr).toContain('.claude/settings.local.json can not be edited: line 3: value expected.');
    expect(treeOf(workspace.root)).toEqual(before);
  });

  it.each<[name: string, content: Uint8Array]>([
    ['text of another encoding', Buffer.from('{"a":"\u00e4"}', 'latin1')],
    ['no JSON', Buffer.from('\u0000\u0001')],
  ])('refuses %s', async (_, content) => {
    await using workspace = tempWorkspace();
    workspace.write(VSCODE, content);
    expect(await handrail(workspace, ['setup', 'vscode', '--yes'])).toMatchObject({ exitCode: 1 });
    expect(readFileSync(join(workspace.root, VSCODE))).toEqual(Buffer.from(content));
  });

  it('keeps the mode of a file', async () => {
    await using workspace = tempWorkspace({ [VSCODE]: '{}' });
    chmodSync(join(workspace.root, VSCODE), 0o600);
    await handrail(workspace, ['setup', 'vscode', '--yes']);
    expect(treeOf(workspace.root)[VSCODE]).toMatch(/^file 600 /);
  });

  it('edits the last of several files that a client reads, and takes back from each', async () => {
    await using workspace = tempWorkspace({ 'opencode.json': '{}\n' });
    await handrail(workspace, ['setup', 'opencode', '--yes']);
    workspace.write('opencode.jsonc', '{}\n');
    await handrail(workspace, ['setup', 'opencode', '--yes']);
    expect(textOf(workspace, 'opencode.json')).toContain('handrail');
    expect(textOf(workspace, 'opencode.jsonc')).toContain('handrail');
    await handrail(workspace, ['setup', 'opencode', '--remove', '--yes']);
    expect(textOf(workspace, 'opencode.json')).toBe('{}\n');
    expect(textOf(workspace, 'opencode.jsonc')).toBe('{}\n');
  });

  it('writes the new places after the workspace moved, and takes back all of it', async () => {
    await using workspace = tempWorkspace({ 'old/.vscode/mcp.json': '{"servers": {"other": {}}}' });
    const [old, moved] = [join(workspace.root, 'old'), join(workspace.root, 'moved')];
    await handrail(workspace, ['setup', 'vscode', '--workspace', old, '--yes']);
    renameSync(old, moved);
    await handrail(workspace, ['setup', 'vscode', '--workspace', moved, '--yes']);
    const text = textOf(workspace, `moved/${VSCODE}`);
    expect(text).toContain(`"${moved}"`);
    expect(text).not.toContain(`"${old}"`);
    await handrail(workspace, ['setup', 'vscode', '--workspace', moved, '--remove', '--yes']);
    expect(JSON.parse(textOf(workspace, `moved/${VSCODE}`))).toEqual({ servers: { other: {} } });
  });

  it('keeps the first state when it is run again after a change of somebody else', async () => {
    await using workspace = tempWorkspace({ [VSCODE]: '{\n  "servers": {}\n}\n' });
    await handrail(workspace, ['setup', 'vscode', '--yes']);
    const changed = textOf(workspace, VSCODE).replace('"mcp",', '"mcp", "--changed",');
    workspace.write(VSCODE, changed);
    await handrail(workspace, ['setup', 'vscode', '--yes']);
    expect(textOf(workspace, VSCODE)).not.toContain('--changed');
    await handrail(workspace, ['setup', 'vscode', '--remove', '--yes']);
    expect(textOf(workspace, VSCODE)).toBe('{\n  "servers": {}\n}\n');
  });
});

describe('handrail setup --remove', () => {
  it('has nothing to do where nothing was set up', async () => {
    await using workspace = tempWorkspace({ [VSCODE]: '{}' });
    expect(await handrail(workspace, ['setup', 'vscode', '--remove', '--yes'])).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: 'Nothing of a setup is there; nothing to take back.\n',
    });
    expect(textOf(workspace, VSCODE)).toBe('{}');
  });

  it('shows what it takes back, and keeps it where nobody says yes', async () => {
    await using workspace = tempWorkspace();
    await handrail(workspace, ['setup', 'vscode', '--yes']);
    const written = treeOf(workspace.root);
    const ran = await handrail(workspace, ['setup', 'vscode', '--remove']);
    expect(ran).toMatchObject({ exitCode: 3, stdout: expect.stringContaining(`${VSCODE} (removed)\n`) });
    expect(treeOf(workspace.root)).toEqual(written);
  });

  it('takes out its own part of a file that changed since, and puts back the values it replaced', async () => {
    await using workspace = tempWorkspace({
      'opencode.json': '{\n  "permission": {\n    "bash": "ask"\n  }\n}\n',
    });
    await handrail(workspace, ['setup', 'opencode', '--yes']);
    const written = textOf(workspace, 'opencode.json');
    workspace.write('opencode.json', written.replace('"permission"', '"model": "x",\n  "permission"'));
    expect(await handrail(workspace, ['setup', 'opencode', '--remove', '--yes'])).toMatchObject({
      exitCode: 0,
    });
    expect(textOf(workspace, 'opencode.json')).toBe(
      '{\n  "model": "x",\n  "permission": {\n    "bash": "ask"\n  }\n}\n',
    );
  });

  it('takes out what another machine wrote, of which nothing is known here', async () => {
    await using workspace = tempWorkspace({
      '.mcp.json': '{"mcpServers": {"handrail": {"command": "/elsewhere/node"}, "other": {}}}',
    });
    await handrail(workspace, ['setup', 'claude-code', '--remove', '--yes']);
    expect(JSON.parse(textOf(workspace, '.mcp.json'))).toEqual({ mcpServers: { other: {} } });
  });
});

describe('the files of a setup', () => {
  it.each([
    ['the file', VSCODE],
    ['its folder', '.vscode'],
  ])('are never behind a link in the place of %s', async (_, place) => {
    await using workspace = tempWorkspace();
    if (place === VSCODE) mkdirSync(join(workspace.root, '.vscode'));
    else writeFileSync(join(workspace.outside, 'mcp.json'), '{}');
    const target = join(workspace.outside, place === VSCODE ? 's.txt' : '');
    symlinkSync(target, join(workspace.root, place));
    const outside = treeOf(workspace.outside);
    expect(await handrail(workspace, ['setup', 'vscode', '--yes'])).toMatchObject({
      exitCode: 1,
      stdout: '',
    });
    expect(treeOf(workspace.outside)).toEqual(outside);
  });

  it('are not behind a link inside of the workspace either', async () => {
    await using workspace = tempWorkspace({ 'shared/mcp.json': '{}' });
    symlinkSync('shared', join(workspace.root, '.vscode'));
    expect(await handrail(workspace, ['setup', 'vscode', '--yes'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('is a link, or stands behind one'),
    });
    expect(textOf(workspace, 'shared/mcp.json')).toBe('{}');
  });

  it("of the user may be links to other places of the home, which stay, and don't leave it", async () => {
    await using workspace = tempWorkspace();
    const { home } = workspace.locations;
    mkdirSync(join(home, 'dotfiles'));
    mkdirSync(join(home, '.codex'));
    writeFileSync(join(home, 'dotfiles/codex.toml'), 'a = 1\n');
    symlinkSync('../dotfiles/codex.toml', join(home, '.codex/config.toml'));
    expect(await handrail(workspace, ['setup', 'codex', '--user', '--yes'])).toMatchObject({ exitCode: 0 });
    expect(treeOf(home)['.codex/config.toml']).toBe('link to ../dotfiles/codex.toml');
    expect(readFileSync(join(home, 'dotfiles/codex.toml'), 'utf8')).toContain('[mcp_servers.handrail]');

    mkdirSync(join(home, '.gemini'));
    symlinkSync(join(workspace.outside, 's.txt'), join(home, '.gemini/settings.json'));
    const outside = treeOf(workspace.outside);
    expect(await handrail(workspace, ['setup', 'gemini', '--user', '--yes'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('is a link, or stands behind one'),
    });
    expect(treeOf(workspace.outside)).toEqual(outside);
  });

  it('of the user are not made in a folder behind a link that leaves the home', async () => {
    await using workspace = tempWorkspace();
    symlinkSync(workspace.outside, join(workspace.locations.home, '.codex'));
    const outside = treeOf(workspace.outside);
    expect(await handrail(workspace, ['setup', 'codex', '--user', '--yes'])).toMatchObject({ exitCode: 1 });
    expect(treeOf(workspace.outside)).toEqual(outside);
  });

  it.for<[string, string[], (workspace: TempWorkspace) => string]>([
    ['of the workspace', [], (workspace) => join(workspace.root, '.codex')],
    ['of the user', ['--user'], (workspace) => join(workspace.locations.home, '.codex')],
  ])('%s are left alone where they belong to somebody else', async ([, options, folderOf], { skip }) => {
    skip(process.getuid?.() !== 0, 'only root can give a file to somebody else');
    await using workspace = tempWorkspace();
    const folder = folderOf(workspace);
    mkdirSync(folder);
    writeFileSync(join(folder, 'config.toml'), 'a = 1\n');
    chownSync(join(folder, 'config.toml'), 65_534, 65_534);
    expect(await handrail(workspace, ['setup', 'codex', '--yes', ...options])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('belongs to another user'),
    });
    expect(readFileSync(join(folder, 'config.toml'), 'utf8')).toBe('a = 1\n');
  });
});
