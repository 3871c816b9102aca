/**
 * Processes that a command outside of any sandbox left behind, found by a variable in their environment. What cleaned
 * its environment is not found: only a sandbox ends everything.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const MARK = 'HANDRAIL_COMMAND';
/** A process may start another one while it is looked for. */
const ROUNDS = 5;
/** One that hangs in the system is not waited for any longer. */
const END_MS = 2_000;

/** The variable that marks a command and all it starts. */
export function mark(id: string): Record<string, string> {
  return { [MARK]: id };
}

/** Kills everything with the mark. */
export function killMarked(id: string): void {
  for (let round = 0; round < ROUNDS; round++) {
    const found = markedProcesses(`${MARK}=${id}`);
    if (found.length === 0) return;
    for (const pid of found) kill(pid);
  }
}

/** Kills everything with the mark, and waits until it is gone. */
export async function endMarked(id: string): Promise<void> {
  const givenUpAt = performance.now() + END_MS;
  for (;;) {
    const found = markedProcesses(`${MARK}=${id}`);
    if (found.length === 0 || performance.now() > givenUpAt) return;
    for (const pid of found) kill(pid);
    await pause(5);
  }
}

function markedProcesses(entry: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && environmentOf(pid).split('\0').includes(entry));
}

function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    return '';
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself.
  }
}
