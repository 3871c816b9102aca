/** Nothing that a command started outlives it, however it started it and however it ended. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { commandsIn, shell } from '../../../support/commands.ts';
import { tempWorkspace } from '../../../support/temp-workspace.ts';
import { startCommands, type User, whyNotAs } from './fixtures/commands-in-a-child.ts';

/** Six ways to leave something running; `SLEEP` is a program that sleeps for long. */
const DESCENDANTS: Readonly<Record<string, string>> = {
  child: 'SLEEP &',
  grandchild: "sh -c 'SLEEP & wait' &",
  setsid: 'setsid SLEEP &',
  'double fork': "(setsid sh -c 'SLEEP &' &)",
  'job control': "bash -c 'set -m; SLEEP & disown'",
  'ignoring SIGTERM': `sh -c "trap '' TERM; SLEEP; :" &`,
};
const COUNT = Object.keys(DESCENDANTS).length;

/** A line that starts all six, says so once all run, and waits; the length of their sleep tells whose they are. */
function allOf(seconds: string): string {
  const started = Object.values(DESCENDANTS).map((line) => line.replaceAll('SLEEP', `sleep ${seconds}`));
  const count = `$(cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' ' | grep -o 'sleep ${seconds} ' | wc -l)`;
  return [...started, `until [ ${count} -ge ${COUNT} ]; do :; done`, 'echo ready', 'sleep 300'].join('\n');
}

/** A length of time that nobody else sleeps for. */
function ownSeconds(): string {
  return `31${Math.floor(Math.random() * 1e9)}.5`;
}

function survivors(seconds: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && commandLine(pid) === `sleep\0${seconds}\0`);
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

async function gone(seconds: string): Promise<void> {
  await expect.poll(() => survivors(seconds), { timeout: 10_000 }).toEqual([]);
}

describe('descendants of a confined command', () => {
  it('are gone after a time-out', async () => {
    await using workspace = tempWorkspace();
    using commands = commandsIn(workspace);
    const seconds = ownSeconds();
    let most = 0;
    const onOutput = (): void => void (most = survivors(seconds).length);
    const result = await shell(commands, allOf(seconds), { timeoutMs: 5_000, onOutput });
    expect({ most, timedOut: result.timedOut }).toEqual({ most: COUNT, timedOut: true });
    await gone(seconds);
  });

  it('are gone after a cancel', async () => {
    await using workspace = tempWorkspace();
    using commands = commandsIn(workspace);
    const seconds = ownSeconds();
    const controller = new AbortController();
    const onOutput = (): void => controller.abort();
    const running = shell(commands, allOf(seconds), { signal: controller.signal, onOutput });
    await expect(running).rejects.toMatchObject({ code: 'E_CANCELLED' });
    await gone(seconds);
  });

  it('are gone after the command ended by itself', async () => {
    await using workspace = tempWorkspace();
    using commands = commandsIn(workspace);
    const seconds = ownSeconds();
    expect((await shell(commands, allOf(seconds).replace('sleep 300', 'exit 0'))).exitCode).toBe(0);
    await gone(seconds);
  });

  it.for<User>(['root', 'nobody'])('are gone after the runtime of %s was killed', async (user, { skip }) => {
    const whyNot = whyNotAs(user);
    skip(whyNot !== undefined, whyNot);
    await using workspace = tempWorkspace();
    const seconds = ownSeconds();
    const runtime = startCommands(workspace, user, [[allOf(seconds)]]);
    await once(runtime.stderr!, 'data');
    expect(survivors(seconds)).toHaveLength(COUNT);
    runtime.kill('SIGKILL');
    await gone(seconds);
  });

  it('outlive a runner that only kills what it started', async () => {
    const seconds = ownSeconds();
    const child = spawn('/bin/sh', ['-c', allOf(seconds).replace('sleep 300', 'exec sleep 300')], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    const left = survivors(seconds);
    expect(left).toHaveLength(COUNT);
    execFileSync('kill', ['-9', ...left.map(String)]);
  });
});
