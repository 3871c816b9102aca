import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { languageHints } from '../../src/cli/language-hints.ts';
import type { LanguageState } from '../../src/host/ports.ts';
import { environmentOf, LAUNCHER } from '../support/command-line.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';

const SH: LanguageState = { language: 'sh', server: 'a-server', install: 'get a-server', isExpected: true };

/** What `handrail mcp` writes for people at its start, until there are so many lines. */
async function startLines(
  workspace: TempWorkspace,
  env: Record<string, string>,
  count: number,
): Promise<string[]> {
  const child = spawn(process.execPath, [LAUNCHER, 'mcp', '--workspace', workspace.root], {
    env: { ...environmentOf(workspace), ...env },
  });
  const hello = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  };
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: hello })}\n`);
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' })}\n`);
  child.stdout.resume();
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stderr })) if (lines.push(line) === count) break;
  child.stdin.end();
  child.kill();
  return lines;
}

/** A search path with nothing on it. */
function emptyPath(workspace: TempWorkspace): string {
  const folder = join(workspace.outside, 'bin');
  mkdirSync(folder);
  symlinkSync(process.execPath, join(folder, 'node'));
  return folder;
}

describe('languageHints', () => {
  it.each([
    [{ LANG: 'zh_CN.UTF-8' }, '[LSP] sh: a-server 未安装，运行: get a-server'],
    [{ LC_ALL: 'zh_TW', LANG: 'de_DE' }, '[LSP] sh: a-server 未安装，运行: get a-server'],
    [
      { LC_ALL: '', LC_MESSAGES: 'en_GB', LANG: 'zh_CN' },
      '[LSP] sh: a-server not installed, run: get a-server',
    ],
    [{}, '[LSP] sh: a-server not installed, run: get a-server'],
  ])('speaks the language of %j', (environment, line) => {
    expect(languageHints([SH], environment)).toEqual([line]);
  });

  it('says nothing about what is there, or was never expected', () => {
    const states = [
      { ...SH, program: '/bin/a-server' },
      { ...SH, isExpected: false },
    ];
    expect(languageHints(states, {})).toEqual([]);
  });
});

describe('a start of handrail', () => {
  it('names the servers of sh and py that are missing, once', async () => {
    await using workspace = tempWorkspace();
    const lines = await startLines(workspace, { PATH: emptyPath(workspace), LANG: 'zh_CN.UTF-8' }, 2);
    expect(lines).toEqual([
      '[LSP] sh: bash-language-server 未安装，运行: npm install --global bash-language-server',
      expect.stringMatching(/^\[LSP\] py: pylsp 未安装，运行: (apt-get|pipx) install /) as string,
    ]);
  });
});

describe('handrail doctor', () => {
  it('names the servers that are missing, and the command that installs each', async () => {
    await using workspace = tempWorkspace();
    const env = { ...environmentOf(workspace), PATH: emptyPath(workspace) };
    const command = [LAUNCHER, 'doctor', '--json', '--workspace', workspace.root];
    const { stdout } = spawnSync(process.execPath, command, { env, encoding: 'utf8' });
    const checks = (JSON.parse(stdout) as { name: string }[]).filter(({ name }) =>
      /^lsp|languages/.test(name),
    );
    expect(checks).toEqual([
      {
        name: 'lsp sh',
        state: 'missing',
        detail: 'bash-language-server is not installed',
        fix: 'npm install --global bash-language-server',
      },
      {
        name: 'lsp py',
        state: 'missing',
        detail: 'pylsp is not installed',
        fix: expect.stringMatching(/^(apt-get|pipx) install /) as string,
      },
      {
        name: 'languages',
        state: 'ok',
        detail: expect.stringMatching(/^ready besides: none; not installed: .*ts \(typescript\)/) as string,
      },
    ]);
  });
});
