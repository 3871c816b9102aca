import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type InstalledServers,
  installedServers,
  type LanguageSettings,
} from '../../../../src/host/local/language/installed-servers.ts';
import { type TempWorkspace, tempWorkspace } from '../../../support/temp-workspace.ts';

/** Servers on a search path of its own. */
function installed(workspace: TempWorkspace, settings: LanguageSettings = {}): InstalledServers {
  const environment = { PATH: join(workspace.outside, 'bin') };
  return installedServers({ roots: [workspace.root], environment, settings });
}

function install(workspace: TempWorkspace, path: string): string {
  const file = join(workspace.outside, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '');
  chmodSync(file, 0o755);
  return file;
}

describe('installedServers', () => {
  it('finds the server of a file by how its name ends, and says so at once where it is missing', async () => {
    await using workspace = tempWorkspace();
    const servers = installed(workspace);
    expect(servers.forFile('src/run.SH')).toEqual({
      status: 'not_installed',
      language: 'sh',
      server: 'bash-language-server',
      says: 'The language server bash-language-server for sh is not installed.',
      install: 'npm install --global bash-language-server',
    });
    // What is installed meanwhile counts.
    const program = install(workspace, 'bin/bash-language-server');
    expect(servers.forFile('a.bash')).toMatchObject({
      language: 'sh',
      command: [program, 'start'],
      note: expect.stringMatching(
        /^shellcheck is not installed, so it finds errors of syntax only\. Install it: /,
      ) as string,
    });
    install(workspace, 'bin/shellcheck');
    expect(servers.forFile('a.zsh')).toMatchObject({ note: undefined });
    for (const path of ['a', 'a.', '.sh.x', 'toString', '__proto__', 'a.constructor'])
      expect(servers.forFile(path)).toMatchObject({ status: 'unsupported' });
  });

  it('takes the first server of a language that is there', async () => {
    await using workspace = tempWorkspace();
    const pyright = install(workspace, 'bin/pyright-langserver');
    expect(installed(workspace).forFile('a.py')).toMatchObject({ command: [pyright, '--stdio'] });
    const pylsp = install(workspace, 'bin/pylsp');
    expect(installed(workspace).forFile('a.py')).toMatchObject({ command: [pylsp] });
  });

  it.each([
    ['6.0.3', 'not_installed'],
    ['7.0.2', undefined],
    ['10.0.0', undefined],
    ['nonsense', 'not_installed'],
  ])('takes TypeScript %s for what it is', async (version, status) => {
    await using workspace = tempWorkspace();
    install(workspace, 'bin/tsc');
    writeFileSync(join(workspace.outside, 'package.json'), JSON.stringify({ version }));
    const found = installed(workspace).forFile('a.ts');
    expect('status' in found ? found.status : undefined).toBe(status);
  });

  it('takes servers from the settings: by name, by place, more than are known, and none', async () => {
    await using workspace = tempWorkspace({ 'tools/own': '' });
    chmodSync(join(workspace.root, 'tools/own'), 0o755);
    const named = install(workspace, 'bin/other');
    const placed = install(workspace, 'else/server');
    const servers = installed(workspace, {
      py: { command: ['other', '-x'] },
      ts: { command: [placed] },
      c: { command: ['tools/own'] },
      odd: { command: ['unheard-of'], files: { '.odd': 'odd', Oddfile: 'odd' }, install: 'make odd' },
      sh: { enabled: false },
      go: { enabled: true },
    });
    expect(servers.forFile('a.py')).toMatchObject({ command: [named, '-x'] });
    expect(servers.forFile('a.ts')).toMatchObject({ command: [placed] });
    expect(servers.forFile('a.c')).toMatchObject({ command: [join(workspace.root, 'tools/own')] });
    expect(servers.forFile('Oddfile')).toMatchObject({ status: 'not_installed', install: 'make odd' });
    expect(servers.forFile('a.sh')).toMatchObject({ status: 'unsupported' });
    const expected = servers.states().filter(({ isExpected }) => isExpected);
    expect(expected.map(({ language }) => language).sort()).toEqual(['c', 'go', 'odd', 'py', 'ts']);
  });

  it('shows what was installed with a program, and not more', async () => {
    await using workspace = tempWorkspace();
    const homeOf = (program: string): string | undefined => {
      const found = installed(workspace, { py: { command: [program] } }).forFile('a.py');
      return 'home' in found ? found.home : undefined;
    };
    const { outside } = workspace;
    expect(homeOf(install(workspace, 'x/node_modules/a/node_modules/b/cli.js'))).toBe(
      join(outside, 'x/node_modules'),
    );
    const inVenv = install(workspace, 'venv/bin/pylsp');
    writeFileSync(join(outside, 'venv/pyvenv.cfg'), '');
    expect(homeOf(inVenv)).toBe(join(outside, 'venv'));
    expect(homeOf(install(workspace, 'tools/bin/server'))).toBe(join(outside, 'tools/bin'));
  });
});
