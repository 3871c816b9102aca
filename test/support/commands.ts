/** Commands in a temporary workspace, told briefly. */
import {
  type CommandSurroundings,
  type LocalCommands,
  localCommands,
} from '../../src/host/local/sandbox/commands.ts';
import { pinRoot } from '../../src/host/local/root.ts';
import type { CommandRequest, CommandResult, Commands, Confinement } from '../../src/host/ports.ts';
import type { TempWorkspace } from './temp-workspace.ts';

export const CONFINED: Confinement = {
  isReadOnly: false,
  hidden: [],
  frozen: [],
  hosts: [],
  session: 'ses_test',
};

/** The machine's own commands over a workspace. */
export function commandsIn(
  workspace: TempWorkspace,
  surroundings: Partial<CommandSurroundings> = {},
): LocalCommands {
  const root = pinRoot(workspace.root, workspace.locations.home);
  return localCommands(root, {
    ...workspace.locations,
    environment: { PATH: process.env['PATH'] },
    ...surroundings,
  });
}

export type ShellRequest = Partial<Omit<CommandRequest, 'confinement'>> & {
  readonly confinement?: Partial<Confinement> | 'none';
};

/** Runs a line of shell. */
export function shell(commands: Commands, line: string, request: ShellRequest = {}): Promise<CommandResult> {
  const { confinement = {}, ...rest } = request;
  return commands.run({
    program: '/bin/sh',
    args: ['-c', line],
    directory: '.',
    env: {},
    timeoutMs: 30_000,
    maxOutputBytes: 100_000,
    keep: 'head-and-tail',
    signal: new AbortController().signal,
    ...rest,
    confinement: confinement === 'none' ? 'none' : { ...CONFINED, ...confinement },
  });
}

/** What matters of a result, as text. */
export function told({ exitCode, stdout, stderr }: CommandResult): {
  exitCode: number;
  stdout: string;
  stderr: string;
} {
  return { exitCode, stdout: Buffer.from(stdout).toString(), stderr: Buffer.from(stderr).toString() };
}
