/** Searches as one writes them first: the same program, or none, and no second look. They prove that attacks are such. */
import { spawnSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import type { TempWorkspace } from '../support/temp-workspace.ts';

const MAX_OUTPUT = 512 * 1024 * 1024;

/** The search program with whatever it is told. */
export function ripgrep(
  { root }: TempWorkspace,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): string {
  const { stdout } = spawnSync(rgPath, [...args], {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: MAX_OUTPUT,
  });
  return stdout;
}

/** The search program in a command line, where names of files become arguments. */
export function ripgrepByShell({ root }: TempWorkspace, line: string): string {
  return spawnSync('/bin/sh', ['-c', line.replace(/^rg /, `'${rgPath}' `)], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).stdout;
}

/** Checks where a folder really is, then has it searched by its name. */
export function checkThenSearch(workspace: TempWorkspace, term: string, path: string): string {
  const real = realpathSync(resolve(workspace.root, path));
  if (!real.startsWith(`${workspace.root}/`)) throw new Error('outside');
  return ripgrep(workspace, ['--hidden', '--no-ignore', term, path]);
}

/** Checks where a folder really is, then has its files named. */
export function checkThenList(workspace: TempWorkspace, path: string): string {
  const real = realpathSync(resolve(workspace.root, path));
  if (!real.startsWith(`${workspace.root}/`)) throw new Error('outside');
  return ripgrep(workspace, ['--hidden', '--no-ignore', '--files', path]);
}

/** Whether the regular expressions of the language come to an end within the time. */
export function backtracks(pattern: string, text: string, timeoutMs: number): boolean {
  const program = `new RegExp(process.argv[1]).test(process.argv[2])`;
  const { error } = spawnSync(process.execPath, ['-e', program, '--', pattern, text], { timeout: timeoutMs });
  return error !== undefined;
}
