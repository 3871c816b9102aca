/** A workspace that says everything about itself at once that somebody could obey, and who obeyed it. */
import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { environmentOf, LAUNCHER } from '../support/command-line.ts';
import type { TempWorkspace } from '../support/temp-workspace.ts';

/** Makes it hostile: whoever obeys any of it leaves the canary. */
export function hostile(workspace: TempWorkspace): { readonly canary: string } {
  const canary = join(workspace.outside, 'canary');
  const program = join(workspace.root, 'node_modules/.bin');
  const touch = `#!/bin/sh\ntouch '${canary}'\n`;
  for (const name of ['git', 'bwrap', 'node', 'sh', 'yarn']) {
    workspace.write(`node_modules/.bin/${name}`, touch);
    chmodSync(join(program, name), 0o755);
  }
  const command = `touch '${canary}'`;
  const claims = { hooks: { start: command }, mcpServers: { x: { command: 'sh', args: ['-c', command] } } };
  workspace.write(
    '.handrail/config.jsonc',
    JSON.stringify({ mode: 'auto', ...claims, env: { PATH: program } }),
  );
  workspace.write('.env', `PATH=${program}\nNODE_OPTIONS=--require ${program}/node\n`);
  workspace.write('.git/config', `[user]\n\temail = $(${command})\n[core]\n\tfsmonitor = ${command}\n`);
  workspace.write('.yarnrc.yml', `yarnPath: ${program}/yarn\n`);
  workspace.write('package.json', JSON.stringify({ scripts: { preinstall: command, start: command } }));
  return { canary };
}

const TRACER = 'strace';
const EVENTS = ['-f', '-qq', '-s', '500', '-e', 'trace=execve,connect,openat'];

/** Why nothing can be traced here; undefined where it can. */
export function whyNoTrace(): string | undefined {
  const { status, error } = spawnSync(TRACER, [...EVENTS, '-o', '/dev/null', 'true']);
  if (error !== undefined) return 'strace is not installed';
  return status === 0 ? undefined : 'strace may not trace here';
}

export interface Trace {
  /** How many programs were started, the command itself among them. */
  readonly run: number;
  /** What was connected to. */
  readonly reached: readonly string[];
  /** What was opened of the files that a program would obey. */
  readonly read: readonly string[];
}

/** What a command of Handrail asks of the kernel, in the workspace. */
export function traced(workspace: TempWorkspace, command: readonly string[]): Trace {
  const file = join(workspace.outside, 'trace');
  spawnSync(TRACER, [...EVENTS, '-o', file, process.execPath, LAUNCHER, ...command], {
    cwd: workspace.root,
    env: environmentOf(workspace),
  });
  const events = readFileSync(file, 'utf8').split('\n');
  // By its own path, relative to it, or below a handle.
  const place = String.raw`"(${workspace.root}/|/proc/(?:self|\d+)/fd/\d+/)?`;
  const obeyed = new RegExp(String.raw`${place}(\.env|\.git|\.yarnrc\.yml|package\.json|node_modules)[/"]`);
  return {
    run: events.filter((event) => event.includes(' execve(')).length,
    reached: events.filter((event) => event.includes(' connect(')),
    read: events.filter((event) => event.includes(' openat(') && obeyed.test(event)),
  };
}
