/** Runs the built `handrail` as a person would, with state of its own. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { TempWorkspace } from './temp-workspace.ts';

export interface Ran {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export const LAUNCHER = join(import.meta.dirname, '../../bin/handrail.js');

/** The environment that keeps a command line inside a temporary workspace. */
export function environmentOf({ locations }: TempWorkspace): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: locations.home,
    XDG_STATE_HOME: join(locations.state, '..', 'xdg-state'),
    XDG_CONFIG_HOME: join(locations.state, '..', 'xdg-config'),
  };
}

/** Runs `handrail` in the workspace. */
export function handrail(
  workspace: TempWorkspace,
  args: readonly string[],
  stdin: string | Uint8Array = '',
  variables: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const child = spawn(process.execPath, [LAUNCHER, ...args], {
    cwd: workspace.root,
    env: { ...environmentOf(workspace), ...variables },
  });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
  child.stdin.on('error', () => undefined);
  child.stdin.end(stdin);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode) =>
      resolve({
        exitCode,
        stdout: Buffer.concat(stdout).toString(),
        stderr: Buffer.concat(stderr).toString(),
      }),
    );
  });
}
