import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { environmentOf, handrail, LAUNCHER } from '../support/command-line.ts';
import { tempWorkspace } from '../support/temp-workspace.ts';

describe('handrail', () => {
  it('says what to do next when called without arguments', async () => {
    await using workspace = tempWorkspace();
    const ran = await handrail(workspace, []);
    expect(ran).toEqual({
      exitCode: 0,
      stderr: '',
      stdout: expect.stringMatching(
        /chat[^]*call[^]*tools[^]*audit[^]*doctor[^]*serve[^]*Try: handrail chat/,
      ),
    });
  });

  it('minds nobody who stops reading', async () => {
    await using workspace = tempWorkspace();
    const loop = `for i in 1 2 3 4 5; do "${process.execPath}" "${LAUNCHER}" --help | true; done`;
    const ran = spawnSync('/bin/sh', ['-c', loop], { env: environmentOf(workspace), encoding: 'utf8' });
    expect(ran).toMatchObject({ status: 0, stderr: '' });
  });

  it.each(['call', 'tools', 'audit', 'doctor', 'serve'])('has help for %s', async (command) => {
    await using workspace = tempWorkspace();
    const ran = await handrail(workspace, [command, '--help']);
    expect(ran).toEqual({
      exitCode: 0,
      stderr: '',
      stdout: expect.stringContaining(`Usage: handrail ${command}`),
    });
  });

  it('says where the commands are listed when one is not known', async () => {
    await using workspace = tempWorkspace();
    expect(await handrail(workspace, ['nosuch'])).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringMatching(
        /^error: unknown command 'nosuch'\n[^]*`handrail --help` lists the commands/,
      ),
    });
  });

  it('prints the version of the package', async () => {
    await using workspace = tempWorkspace();
    expect(await handrail(workspace, ['--version'])).toEqual({
      exitCode: 0,
      stderr: '',
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
  });

  it('says clearly that Node is too old', async () => {
    await using workspace = tempWorkspace();
    // The launcher beside no node_modules, under a Node that says it is 20.
    const bin = join(workspace.root, 'bin');
    mkdirSync(bin);
    writeFileSync(join(workspace.root, 'package.json'), '{"type":"module"}');
    spawnSync('cp', [LAUNCHER, bin]);
    writeFileSync(
      join(workspace.root, 'old.cjs'),
      "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } });",
    );
    const ran = spawnSync(
      process.execPath,
      ['-r', join(workspace.root, 'old.cjs'), join(bin, 'handrail.js'), 'tools'],
      { encoding: 'utf8' },
    );
    expect({ status: ran.status, stdout: ran.stdout, stderr: ran.stderr }).toEqual({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining('needs Node 24 or newer; this is Node 20.20.2'),
    });
  });
});

describe('handrail tools', () => {
  it("speaks the dialect of the settings: the workspace's where it is trusted, else the user's", async () => {
    await using workspace = tempWorkspace({ '.handrail/config.jsonc': '{ "dialect": "coder" }' });
    const config = join(environmentOf(workspace)['XDG_CONFIG_HOME']!, 'handrail');
    mkdirSync(config, { recursive: true });
    writeFileSync(join(config, 'config.jsonc'), '{ "dialect": "codelab", "mode": "auto" }');
    const printed = async (...args: string[]): Promise<string> =>
      (await handrail(workspace, ['tools', '--json', ...args])).stdout;
    expect(await printed()).toBe(await printed('--dialect', 'codelab', '--mode', 'auto'));
    await handrail(workspace, ['trust', '--yes']);
    expect(await printed()).toBe(await printed('--dialect', 'coder'));
    expect(await printed('--dialect', 'handrail')).toContain('read_output');
  });

  it('lists them also in a folder that can not be a workspace', async () => {
    await using workspace = tempWorkspace();
    const ran = await handrail({ ...workspace, root: workspace.locations.home }, ['tools']);
    expect(ran).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('read_output') });
  });

  it('prints everything a tool publishes as JSON', async () => {
    await using workspace = tempWorkspace();
    const ran = await handrail(workspace, ['tools', '--dialect', 'codelab', '--json']);
    const [first] = JSON.parse(ran.stdout) as object[];
    expect(first).toEqual({
      name: 'read_file',
      version: '1.0.0',
      description: expect.any(String),
      args_schema: expect.objectContaining({
        type: 'object',
        required: ['path'],
        additionalProperties: false,
      }),
      return_schema: expect.objectContaining({ type: 'object' }),
      required_permissions: ['fs.read'],
      side_effects: [],
      effect: 'read',
      risk: 'read',
      needsApproval: false,
      component: null,
      operation: 'fs.readWhole',
    });
  });

  it('offers a version of a dialect only what that version had', async () => {
    await using workspace = tempWorkspace();
    const names = async (dialect: string): Promise<string[]> => {
      const ran = await handrail(workspace, ['tools', '--dialect', dialect, '--json']);
      return (JSON.parse(ran.stdout) as { name: string }[]).map(({ name }) => name);
    };
    const [first, last] = [await names('codelab@1.0'), await names('codelab')];
    expect(first).toEqual(expect.arrayContaining(['read_file', 'write_file']));
    expect(last).toEqual(expect.arrayContaining([...first, 'list_files', 'delete_file', 'move_file']));
    for (const later of ['list_files', 'delete_file', 'move_file']) expect(first).not.toContain(later);
  });
});

describe('handrail audit', () => {
  it('lists the calls of the workspace, newest first, and shows one whole', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a\n' });
    await handrail(workspace, ['call', 'read', '{"path":"a.txt"}']);
    await handrail(workspace, ['call', 'write', '{"path":"b.txt","content":"b"}', '--yes']);
    const listed = JSON.parse((await handrail(workspace, ['audit', 'list', '--json'])).stdout) as {
      name: string;
      call_id: string;
    }[];
    expect(listed.map(({ name }) => name)).toEqual(['write', 'read']);
    const shown = await handrail(workspace, ['audit', 'show', listed[0]!.call_id]);
    expect(shown.stdout.match(/"event": "\w+"/g)).toEqual([
      '"event": "opened"',
      '"event": "decided"',
      '"event": "closed"',
    ]);
    expect(shown.stdout).toContain('"approver": "command line --yes"');
  });

  it('shows control characters instead of sending them to the terminal', async () => {
    await using workspace = tempWorkspace();
    await handrail(workspace, ['call', '\u001b[2Jevil\u202e', '{}']);
    const { stdout } = await handrail(workspace, ['audit', 'list']);
    expect(stdout).toContain('\\u001b[2Jevil\\u202e');
    expect(stdout).not.toMatch(/[\u001b\u202e]/);
  });

  it('verifies, and names the first bad line of a changed chain', async () => {
    await using workspace = tempWorkspace();
    await handrail(workspace, ['call', 'list']);
    expect(await handrail(workspace, ['audit', 'verify'])).toMatchObject({
      exitCode: 0,
      stdout: 'The audit holds: 2 lines in 1 chain.\n',
    });
    const folder = join(environmentOf(workspace)['XDG_STATE_HOME']!, 'handrail/audit');
    const [file] = readdirSync(folder);
    appendFileSync(join(folder, file!), '{"seq":3,"prev":"0","event":"closed"}\n');
    const ran = await handrail(workspace, ['audit', 'verify']);
    expect(ran).toMatchObject({
      exitCode: 1,
      stdout: expect.stringMatching(/line 3: the line before it was changed/),
    });
  });

  it('says that an unknown call is unknown', async () => {
    await using workspace = tempWorkspace();
    expect(await handrail(workspace, ['audit', 'show', 'call_nope'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('no call "call_nope"'),
    });
  });
});

describe('handrail doctor', () => {
  it('names what is there and how to install what is not', async () => {
    await using workspace = tempWorkspace();
    const ran = await handrail(workspace, ['doctor', '--json']);
    const checks = JSON.parse(ran.stdout) as { name: string; state: string }[];
    expect(ran.exitCode).toBe(0);
    expect(checks.map(({ name }) => name)).toEqual([
      'node',
      'workspace',
      'sandbox',
      'settings',
      'audit',
      'git',
      'lsp sh',
      'lsp py',
      'languages',
    ]);
    expect(checks.slice(0, 3).every(({ state }) => state === 'ok')).toBe(true);
  });

  it('says where your settings would be, and that a chain holds', async () => {
    await using workspace = tempWorkspace();
    await handrail(workspace, ['call', 'stat', '{"path":"."}']);
    const { stdout } = await handrail(workspace, ['doctor']);
    expect(stdout).toMatch(
      /✓ settings +none of yours \(.*\/config\.jsonc\); the workspace has none of its own\n/,
    );
    expect(stdout).toMatch(/✓ audit .*, 1 chain holds\n/);
  });

  it('fails on a workspace that can not be one', async () => {
    await using workspace = tempWorkspace();
    const ran = await handrail(workspace, ['doctor', '--workspace', '/']);
    expect(ran).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('✗ workspace') });
  });
});
