/** Processes by pid, start time and boot, so that a pid that is used again is not taken for the old process. */
import { readFileSync } from 'node:fs';
import type { ProcessTable } from '../ports.ts';

/** The processes of this machine. */
export function localProcessTable(): ProcessTable {
  const boot = read('/proc/sys/kernel/random/boot_id');
  const identify = (pid: number): string | undefined => {
    const started = startTime(pid);
    return started === undefined ? undefined : `${pid}:${started}:${boot}`;
  };
  const self = identify(process.pid) ?? `${process.pid}:unknown:${boot}`;
  return {
    self,
    isAlive: (identity) => identity === self || identify(Number.parseInt(identity, 10)) === identity,
  };
}

/** Clock ticks since boot at which a process started: field 22, counted behind the parenthesised name. */
function startTime(pid: number): string | undefined {
  const stat = read(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const isZombie = fields[0] === 'Z';
  return isZombie ? undefined : fields[19];
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}
