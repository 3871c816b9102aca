/** A workspace never chooses the language server, nor what a server runs, before a person trusted its settings. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Runtime, RuntimeOptions } from '../../src/index.ts';
import { handrail } from '../support/command-line.ts';
import { LANGUAGE_PATH, languageProgram, whyNoPrograms } from '../support/language-programs.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';
import { type Attack, testAttacks } from './attack-case.ts';

const SERVERS = [
  'bash-language-server',
  'pylsp',
  'pyright-langserver',
  'tsc',
  'clangd',
  'gopls',
  'rust-analyzer',
];
const LINTERS = ['shellcheck', 'ruff', 'pyflakes', 'pyflakes3'];
const FILES = { 'a.sh': 'echo $1\n', 'a.py': 'x\n', 'a.ts': 'x;\n', 'a.c': 'x;\n', 'a.go': 'x', 'a.rs': 'x' };

/** A program in the workspace that leaves a canary when anybody runs it. */
function plant(workspace: TempWorkspace, path: string): void {
  workspace.write(path, `#!/bin/sh\ntouch '${canaryIn(workspace)}'\n`);
  chmodSync(join(workspace.root, path), 0o755);
}

/** Outside the workspace, where a server that is confined could not leave it either: so it is looked for inside, too. */
function canaryIn(workspace: TempWorkspace): string {
  return join(workspace.root, 'canary');
}

async function askAll(runtime: Runtime, files: readonly string[] = Object.keys(FILES)): Promise<void> {
  const clude = await runtime.openSession({ dialect: 'clude' });
  for (const path of files) {
    await runtime.call('lsp_diagnostics', { path });
    await runtime.call('lsp_hover', { path, line: 0, character: 0 });
    await runtime.call('read_lints', { paths: [path] }, { session: clude });
  }
}

/** Without a sandbox, so that only what is started counts. */
async function unconfined(workspace: TempWorkspace, options: Partial<RuntimeOptions> = {}): Promise<Runtime> {
  const path = withoutSandbox(workspace);
  return workspace.runtime({ environment: { PATH: path }, readConfig: true, ...options });
}

/** A search path on which there is everything but bubblewrap. */
function withoutSandbox(workspace: TempWorkspace, ...more: readonly string[]): string {
  const folder = join(dirname(workspace.root), 'programs');
  mkdirSync(folder, { recursive: true });
  for (const name of ['env', 'sh', 'touch', 'node', 'cat'])
    if (!existsSync(join(folder, name))) symlinkSync(`/usr/bin/${name}`, join(folder, name));
  return [...more, folder].join(delimiter);
}

/** A folder with links to those of the programs that are installed. */
function linksTo(workspace: TempWorkspace, names: readonly string[]): string {
  const folder = join(dirname(workspace.root), 'servers');
  mkdirSync(folder);
  for (const name of names) {
    const program = languageProgram(name);
    if (program !== undefined) symlinkSync(program, join(folder, name));
  }
  return folder;
}

/** A client that looks for a server as many do: by name, in the folder and by its shell. */
function naiveClient(workspace: TempWorkspace, command: string): void {
  const path = `node_modules/.bin${delimiter}.${delimiter}${process.env['PATH']}`;
  spawnSync(command, { shell: true, cwd: workspace.root, env: { PATH: path }, input: '' });
}

const NAMES: readonly Attack[] = [
  {
    id: 'LS-01',
    title: 'servers and linters in the workspace, where the search path leads there',
    attack: async () => {
      await using workspace = tempWorkspace(FILES);
      for (const name of [...SERVERS, ...LINTERS])
        for (const folder of ['node_modules/.bin', 'bin', '.venv/bin', '.'])
          plant(workspace, join(folder, name));
      // Typescript asks for its version first.
      workspace.write('package.json', '{ "version": "7.0.0" }');
      const inside = [
        'node_modules/.bin',
        './bin',
        '',
        join(workspace.root, '.venv/bin'),
        `${workspace.root}/../ws/bin`,
      ];
      const runtime = await unconfined(workspace, {
        environment: {
          PATH: withoutSandbox(workspace, ...inside),
          VIRTUAL_ENV: join(workspace.root, '.venv'),
        },
      });
      await askAll(runtime);
      expect(runtime.languages().filter(({ program }) => program !== undefined)).toEqual([]);
      expect(existsSync(canaryIn(workspace))).toBe(false);
    },
    bites: async () => {
      await using workspace = tempWorkspace(FILES);
      plant(workspace, 'node_modules/.bin/bash-language-server');
      naiveClient(workspace, 'bash-language-server start');
      expect(existsSync(canaryIn(workspace))).toBe(true);
    },
  },
  {
    id: 'LS-01',
    title: 'a link on the search path that leads into the workspace',
    attack: async () => {
      await using workspace = tempWorkspace(FILES);
      plant(workspace, 'tools/pylsp');
      const folder = join(dirname(workspace.root), 'links');
      mkdirSync(folder);
      symlinkSync(join(workspace.root, 'tools/pylsp'), join(folder, 'pylsp'));
      const runtime = await unconfined(workspace, {
        environment: { PATH: withoutSandbox(workspace, folder) },
      });
      await askAll(runtime);
      expect(existsSync(canaryIn(workspace))).toBe(false);
    },
    bites: async () => {
      await using workspace = tempWorkspace(FILES);
      plant(workspace, 'pylsp');
      naiveClient(workspace, 'pylsp');
      expect(existsSync(canaryIn(workspace))).toBe(true);
    },
  },
  {
    id: 'LS-01',
    title: 'names of files that a shell would run',
    attack: async () => {
      await using workspace = tempWorkspace();
      const names = [
        '$(touch canary).sh',
        '`touch canary`.py',
        ';touch canary;.ts',
        '--help.sh',
        '-x.py',
        '|canary.c',
      ];
      for (const name of names) workspace.write(name, 'x\n');
      plant(workspace, 'canary.c');
      const runtime = await workspace.runtime({ environment: { PATH: LANGUAGE_PATH } });
      await askAll(runtime, names);
      expect(existsSync(canaryIn(workspace))).toBe(false);
    },
    bites: async () => {
      await using workspace = tempWorkspace();
      naiveClient(workspace, 'shellcheck $(touch canary).sh');
      expect(existsSync(canaryIn(workspace))).toBe(true);
    },
  },
];

const SETTINGS: readonly Attack[] = [
  {
    id: 'LS-01',
    title: "a server in the workspace's own settings, before they are trusted (CVE-2025-68432)",
    attack: async () => {
      await using workspace = tempWorkspace(FILES);
      plant(workspace, 'evil');
      const servers = Object.fromEntries(
        ['sh', 'py', 'ts', 'c', 'added'].map((name) => [
          name,
          { command: ['./evil'], files: { '.sh': 'x' } },
        ]),
      );
      workspace.write('.handrail/config.jsonc', JSON.stringify({ languages: { servers } }));
      await askAll(await unconfined(workspace));
      expect(existsSync(canaryIn(workspace))).toBe(false);
    },
    bites: async () => {
      await using workspace = tempWorkspace(FILES);
      plant(workspace, 'evil');
      workspace.write('.editor/settings.json', '{ "server": "./evil" }');
      const { server } = JSON.parse(readFileSync(join(workspace.root, '.editor/settings.json'), 'utf8')) as {
        server: string;
      };
      naiveClient(workspace, server);
      expect(existsSync(canaryIn(workspace))).toBe(true);
    },
  },
  {
    id: 'LS-01',
    title: 'settings for servers that name programs: interpreters, compilers, checkers',
    attack: async () => {
      await using workspace = tempWorkspace(FILES);
      plant(workspace, 'evil');
      const evil = join(workspace.root, 'evil');
      workspace.write(
        '.vscode/settings.json',
        JSON.stringify({
          'python.defaultInterpreterPath': evil,
          'python.pythonPath': evil,
          'bashIde.shellcheckPath': evil,
          'typescript.tsdk': '.',
          'clangd.path': evil,
        }),
      );
      workspace.write('pyrightconfig.json', '{ "venvPath": ".", "venv": ".venv" }');
      for (const name of ['.venv/bin/python', '.venv/bin/python3']) plant(workspace, name);
      workspace.write('.shellcheckrc', 'external-sources=true\n');
      workspace.write(
        'setup.cfg',
        `[pylsp]\nplugins.pylint.executable=${evil}\n[flake8]\nexecutable=${evil}\n`,
      );
      workspace.write('.clangd', `CompileFlags:\n  Compiler: ${evil}\n`);
      workspace.write(
        'compile_commands.json',
        JSON.stringify([{ directory: workspace.root, file: 'a.c', arguments: [evil, '-c', 'a.c'] }]),
      );
      workspace.write(
        'tsconfig.json',
        '{ "compilerOptions": { "plugins": [{ "name": "./evil-plugin" }] }, "files": ["a.ts"] }',
      );
      workspace.write(
        'evil-plugin.js',
        `require('fs').writeFileSync(${JSON.stringify(canaryIn(workspace))}, '')`,
      );
      // Confined they could leave no canary, whatever they run: so it is tried without a sandbox, too.
      const unconfinedPath = withoutSandbox(workspace, linksTo(workspace, [...SERVERS, ...LINTERS]));
      for (const PATH of [LANGUAGE_PATH, unconfinedPath]) {
        await askAll(await workspace.runtime({ environment: { PATH } }));
        expect(existsSync(canaryIn(workspace))).toBe(false);
      }
    },
    bites: async () => {
      await using workspace = tempWorkspace(FILES);
      plant(workspace, 'evil');
      naiveClient(workspace, join(workspace.root, 'evil'));
      expect(existsSync(canaryIn(workspace))).toBe(true);
    },
  },
];

describe('language servers', () => {
  testAttacks([...NAMES, ...SETTINGS]);

  it('are those of the workspace once its settings are trusted', async () => {
    await using workspace = tempWorkspace(FILES);
    const server = { command: ['./own-server'], files: { '.sh': 'x' } };
    workspace.write('.handrail/config.jsonc', JSON.stringify({ languages: { servers: { sh: server } } }));
    plant(workspace, 'own-server');
    const call = ['call', '--workspace', workspace.root, 'lsp_diagnostics', '{"path":"a.sh"}'];
    await handrail(workspace, ['trust', '--workspace', workspace.root, '--yes']);
    const { stdout } = await handrail(workspace, call);
    // It is no server: but it was started, in the sandbox.
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, server_status: 'error' });
  });

  it.skipIf(whyNoPrograms('tsc') !== undefined)('name no place in a file that may not be read', async () => {
    await using workspace = tempWorkspace({
      'tsconfig.json': '{ "compilerOptions": { "module": "nodenext", "types": [] } }',
      'a.ts': 'import { hidden } from "./secret/b.js";\nexport const own = hidden;\n',
      'secret/b.ts': '/** Nobody may know. */\nexport const hidden = 1;\n',
    });
    const place = { path: 'a.ts', line: 1, character: 20 };
    const environment = { PATH: LANGUAGE_PATH };
    const open = await workspace.runtime({ environment });
    expect((await open.call('lsp_definition', place)).reply).toMatchObject({
      location: { path: 'secret/b.ts' },
    });
    const rules = [{ action: 'deny', permission: '*', path: 'secret/' }] as const;
    const closed = await workspace.runtime({ environment, rules });
    for (const tool of ['lsp_definition', 'lsp_hover', 'lsp_references']) {
      const { reply } = await closed.call(tool, place);
      expect([tool, JSON.stringify(reply)]).toEqual([
        tool,
        expect.not.stringMatching(/secret\/b\.ts"|Nobody/),
      ]);
    }
  });
});
