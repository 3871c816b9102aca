/** Trust: nothing of a workspace's own settings counts before a person said so, nor after anything in them changed. */
import { hash } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectConfig, trustContent } from '../../src/config/trust.ts';
import { localHost } from '../../src/host/local/host.ts';
import { handrail, type Ran } from '../support/command-line.ts';
import { openTerminal, whyNoTerminal } from '../support/terminal.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';

const CONFIG = '.handrail/config.jsonc';
const SETTINGS = '{\n  // Ours.\n  "mode": "auto"\n}\n';
const NOTE = "Note: the workspace's own settings do not count; `handrail trust` shows them.\n";
const LAYER = 'project   0';

describe('settings of a workspace', () => {
  it.each([
    ['that loosen', SETTINGS],
    ['that are broken', '{ "mode": '],
    ['with unknown names', '{ "moed": "auto" }'],
    ['that are empty', ''],
  ])('%s do not count and are not read before they are trusted', async (_, text) => {
    await using workspace = tempWorkspace({ [CONFIG]: text, 'a.txt': '' });
    expect(await write(workspace)).toMatchObject({ exitCode: 3, stderr: NOTE });
    expect(await handrail(workspace, ['call', 'list'])).toMatchObject({ exitCode: 0, stderr: NOTE });
    const tested = await handrail(workspace, ['policy', 'test']);
    expect(tested).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(LAYER) });
  });

  it('count once they are trusted, without a word', async () => {
    await using workspace = tempWorkspace({ [CONFIG]: SETTINGS });
    await trusted(workspace);
    expect(await write(workspace)).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it.each<[string, (workspace: TempWorkspace) => void]>([
    ['a byte of it changes', (workspace) => workspace.write(CONFIG, SETTINGS.replace('Ours', 'ours'))],
    ['it vanishes', ({ root }) => unlinkSync(join(root, CONFIG))],
    ['another file changes', (workspace) => workspace.write('.handrail/notes/a.md', 'b')],
    ['another file appears', (workspace) => workspace.write('.handrail/b.md', '')],
    ['another file appears deep below', (workspace) => workspace.write('.handrail/x/y/z', '')],
    ['another file vanishes', ({ root }) => unlinkSync(join(root, '.handrail/notes/a.md'))],
    [
      'another file gets another name',
      ({ root }) => renameSync(join(root, '.handrail/notes/a.md'), join(root, '.handrail/notes/b.md')),
    ],
  ])('no longer count when %s', async (_, change) => {
    await using workspace = tempWorkspace({ [CONFIG]: SETTINGS, '.handrail/notes/a.md': 'a' });
    await trusted(workspace);
    expect(await write(workspace)).toMatchObject({ exitCode: 0 });
    change(workspace);
    expect(await write(workspace)).toMatchObject({ exitCode: 3, stderr: NOTE });
  });

  it('count as long as the content is the trusted one, whatever happened to the files', async () => {
    await using workspace = tempWorkspace({ [CONFIG]: SETTINGS });
    await trusted(workspace);
    utimesSync(join(workspace.root, CONFIG), 1, 1);
    expect(await write(workspace)).toMatchObject({ exitCode: 0 });
    workspace.write(CONFIG, '{}');
    expect(await write(workspace)).toMatchObject({ exitCode: 3 });
    rmSync(join(workspace.root, CONFIG));
    workspace.write(CONFIG, SETTINGS);
    expect(await write(workspace)).toMatchObject({ exitCode: 0 });
  });

  it('do not count in a copy of the workspace', async () => {
    await using workspace = tempWorkspace({ [CONFIG]: SETTINGS });
    await trusted(workspace);
    const copy = join(workspace.root, '../copy');
    cpSync(workspace.root, copy, { recursive: true });
    expect(await write(workspace, '--workspace', copy)).toMatchObject({ exitCode: 3, stderr: NOTE });
  });

  it('are not written by a tool, also where a person says yes', async () => {
    await using workspace = tempWorkspace({ 'a/config.jsonc': SETTINGS });
    for (const [tool, args] of [
      ['write', { path: CONFIG, content: SETTINGS }],
      ['write', { path: './.handrail//config.jsonc', content: SETTINGS }],
      ['move', { from: 'a', to: '.handrail' }],
    ] as const) {
      const ran = await handrail(workspace, ['call', tool, JSON.stringify(args), '--yes']);
      expect(ran).toMatchObject({ exitCode: 3, stdout: expect.stringContaining('E_POLICY_DENIED') });
    }
    expect(() => readFileSync(join(workspace.root, CONFIG))).toThrow('ENOENT');
  });
});

describe('trustContent', () => {
  it('reads every file once: what is hashed is what is shown is what is parsed', async () => {
    await using workspace = tempWorkspace({ [CONFIG]: SETTINGS, '.handrail/notes.md': 'one' });
    const { host } = localHost(workspace.root, workspace.locations.home);
    using _host = host;
    const opened: string[] = [];
    const content = await trustContent({
      ...host.files,
      open: (path) => {
        opened.push(path);
        return host.files.open(path);
      },
    });
    expect(opened.sort()).toEqual([CONFIG, '.handrail/notes.md']);
    expect(content!.files).toEqual(
      [
        { path: CONFIG, text: SETTINGS },
        { path: '.handrail/notes.md', text: 'one' },
      ].map((file) => ({ ...file, bytes: Buffer.from(file.text), hash: hash('sha256', file.text) })),
    );
    expect(projectConfig(content!)).toEqual({ mode: 'auto' });
  });
});

describe('handrail trust', () => {
  it('shows every file whole, and is refused without a terminal and without --yes', async () => {
    await using workspace = tempWorkspace({
      [CONFIG]: SETTINGS,
      '.handrail/notes/a\u202e.md': 'one\n\u001b[2Jtwo\u2066',
    });
    expect(await handrail(workspace, ['trust'])).toEqual({
      exitCode: 3,
      stdout: [
        `── ${CONFIG}`,
        ...SETTINGS.split('\n').map((line) => `  ${line}`),
        String.raw`── .handrail/notes/a\u202e.md`,
        '  one',
        String.raw`  \u001b[2Jtwo\u2066`,
        '',
      ].join('\n'),
      stderr: 'Nobody can be asked here; --yes trusts what is shown.\nNot trusted; nothing of it counts.\n',
    });
    expect(await write(workspace)).toMatchObject({ exitCode: 3, stderr: NOTE });
  });

  it('says when there is nothing to trust, and when it is trusted already', async () => {
    await using workspace = tempWorkspace();
    const nothing = await handrail(workspace, ['trust', '--yes']);
    expect(nothing).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('nothing to trust') });
    workspace.write(CONFIG, SETTINGS);
    rmSync(join(workspace.root, CONFIG));
    const emptied = await handrail(workspace, ['call', 'stat', '{"path":"."}']);
    expect(emptied).toMatchObject({ exitCode: 0, stderr: '' });
    workspace.write(CONFIG, SETTINGS);
    await trusted(workspace);
    const again = await handrail(workspace, ['trust']);
    expect(again).toMatchObject({ exitCode: 0, stderr: 'This very content is trusted already.\n' });
  });

  it('does not trust settings that can not be used', async () => {
    await using workspace = tempWorkspace({ [CONFIG]: '{ "moed": "auto" }' });
    const ran = await handrail(workspace, ['trust', '--yes']);
    expect(ran).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('did you mean "mode"?') });
    expect(await write(workspace)).toMatchObject({ exitCode: 3, stderr: NOTE });
  });

  it.each<[string, (workspace: TempWorkspace) => void]>([
    ['the folder', ({ root, outside }) => symlinkSync(outside, join(root, '.handrail'))],
    [
      'the file, to a place in the workspace',
      (workspace) => {
        const { root } = workspace;
        workspace.write('ours.jsonc', SETTINGS);
        mkdirSync(join(root, '.handrail'));
        symlinkSync('../ours.jsonc', join(root, CONFIG));
      },
    ],
    [
      'another file',
      (workspace) => {
        const { root, outside } = workspace;
        workspace.write(CONFIG, SETTINGS);
        symlinkSync(join(outside, 's.txt'), join(root, '.handrail/notes.md'));
      },
    ],
    [
      'a folder deep below',
      (workspace) => {
        const { root, outside } = workspace;
        workspace.write('.handrail/x/a', '');
        symlinkSync(outside, join(root, '.handrail/x/b'));
      },
    ],
  ])('refuses a link in the place of %s', async (_, prepare) => {
    await using workspace = tempWorkspace();
    prepare(workspace);
    expect(await handrail(workspace, ['trust', '--yes'])).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringContaining('can not be trusted'),
    });
    // Nothing of it counts, and nothing stops because of it.
    expect(await write(workspace)).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining("do not count, and can't be trusted"),
    });
    expect(await handrail(workspace, ['call', 'list'])).toMatchObject({ exitCode: 0 });
    expect(await handrail(workspace, ['doctor'])).toMatchObject({
      exitCode: 1,
      stdout: expect.stringMatching(/✗ settings +The workspace's settings can not be trusted: "\.handrail/),
    });
  });

  it('ends trust with --remove, and says where there was none', async () => {
    await using workspace = tempWorkspace({ [CONFIG]: SETTINGS });
    await trusted(workspace);
    const ran = await handrail(workspace, ['trust', '--remove']);
    expect(ran).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('not trusted any more') });
    expect(await write(workspace)).toMatchObject({ exitCode: 3, stderr: NOTE });
    const again = await handrail(workspace, ['trust', '--remove']);
    expect(again).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('was not trusted') });
  });
});

const missing = whyNoTerminal();

describe.skipIf(missing !== undefined)('handrail trust in a terminal', () => {
  it.each([
    ['y', 0, 'Trusted, until'],
    ['', 3, 'Not trusted'],
    ['n', 3, 'Not trusted'],
    ['sure', 3, 'Not trusted'],
  ])('takes %j for what it is', async (key, exitCode, said) => {
    await using workspace = tempWorkspace({ [CONFIG]: SETTINGS });
    using terminal = openTerminal(workspace);
    terminal.enter('handrail trust; echo "exit=$?"');
    expect(await terminal.shows('Let these settings count? [y/N]')).toContain('  // Ours.');
    terminal.enter(key);
    expect(await terminal.shows(/exit=\d$/m)).toContain(said);
    expect(terminal.screen()).toContain(`exit=${exitCode}`);
    expect(await write(workspace)).toMatchObject({ exitCode });
  });

  it('trusts nothing that changed while it was looked at', async () => {
    await using workspace = tempWorkspace({ [CONFIG]: SETTINGS });
    using terminal = openTerminal(workspace);
    terminal.enter('handrail trust; echo "exit=$?"');
    await terminal.shows('Let these settings count? [y/N]');
    writeFileSync(join(workspace.root, CONFIG), SETTINGS.replace('Ours', 'Ours!'));
    terminal.enter('y');
    expect(await terminal.shows(/exit=\d$/m)).toContain('changed while they were shown');
    expect(terminal.screen()).toContain('exit=1');
    expect(await write(workspace)).toMatchObject({ exitCode: 3, stderr: NOTE });
  });
});

async function trusted(workspace: TempWorkspace): Promise<void> {
  const ran = await handrail(workspace, ['trust', '--yes']);
  expect(ran).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('Trusted, until any of') });
}

/** A call that is asked about by default, and allowed where the settings count. */
function write(workspace: TempWorkspace, ...options: string[]): Promise<Ran> {
  return handrail(workspace, ['call', 'write', '{"path":"b.txt","content":""}', ...options]);
}
