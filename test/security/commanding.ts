/** Every tool that runs commands, and a shell without defence: what leaves Handrail unharmed has to harm it. */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import type { Rule } from '../../src/index.ts';
import { OUTSIDE_SECRET, type TempWorkspace } from '../support/temp-workspace.ts';
import { snapshotOutside } from './evidence.ts';
import type { ToolCall } from './surfaces.ts';

/** A tool that runs commands. */
export interface CommandTool {
  readonly dialect: string;
  readonly tool: string;
  /** Whether it takes the directory to run in. */
  readonly takesDirectory: boolean;
  /** What it has to be told besides the command. */
  readonly args?: object;
}

export const COMMAND_TOOLS: readonly CommandTool[] = [
  { dialect: 'handrail', tool: 'bash', takesDirectory: true },
  { dialect: 'coder', tool: 'bash', takesDirectory: false },
  { dialect: 'codelab', tool: 'run_command', takesDirectory: true },
  { dialect: 'clude', tool: 'run_terminal_cmd', takesDirectory: false, args: { is_background: false } },
];

/** Those that take a directory, and what looks at a command first or goes on with it. */
export const DIRECTORY_TOOLS: readonly CommandTool[] = [
  ...COMMAND_TOOLS.filter(({ takesDirectory }) => takesDirectory),
  { dialect: 'handrail', tool: 'preview_command', takesDirectory: true },
  { dialect: 'handrail', tool: 'run_background', takesDirectory: true },
];

/** The call that gives a command to a tool. */
export function commandOn(
  { dialect, tool, args }: CommandTool,
  command: string,
  more: object = {},
): ToolCall {
  return { dialect, tool, args: { command, ...args, ...more } };
}

/** The call that runs a command in `handrail`'s own dialect. */
export function bash(command: string): ToolCall {
  return { dialect: 'handrail', tool: 'bash', args: { command } };
}

/** Allows everything that can be allowed. */
export const ALLOW_ALL: Rule = { action: 'allow', permission: '*' };

export interface UndefendedShell {
  readonly shell?: 'sh' | 'bash';
  readonly directory?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

/** Gives a command to a shell as it comes, in the workspace; returns everything it wrote. */
export function runUndefended(
  { root, locations }: TempWorkspace,
  command: string,
  { shell = 'sh', directory = '.', env = {}, timeoutMs = 10_000 }: UndefendedShell = {},
): string {
  const { stdout, stderr } = spawnSync(`/bin/${shell}`, ['-c', command], {
    cwd: resolve(root, directory),
    env: { PATH: process.env['PATH'], HOME: locations.home, ...env },
    // With a socket to read from, bash takes itself for the shell of a remote login.
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  });
  return `${String(stdout)}${String(stderr)}`;
}

/** Whether a command reads or changes the outside where nothing stops it. */
export function harmsOutside(workspace: TempWorkspace, command: string, how?: UndefendedShell): boolean {
  const before = JSON.stringify(snapshotOutside(workspace));
  const told = runUndefended(workspace, command, how);
  return told.includes(OUTSIDE_SECRET.trim()) || JSON.stringify(snapshotOutside(workspace)) !== before;
}
