/**
 * Processes by pid, start time, boot and pid namespace, so that a pid that is used again is not taken for the old
 * process. Of a process in another container nothing can be known; it counts as alive, or two would write one chain.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import type { ProcessTable } from '../ports.ts';

/** The processes of this machine. */
export function localProcessTable(): ProcessTable {
  const boot = read('/proc/sys/kernel/random/boot_id');
  const namespace = pidNamespace();
  const identify = (pid: number): string | undefined => {
    const started = startTime(pid);
    return started === undefined ? undefined : `${pid}:${started}:${boot}:${namespace}`;
  };
  const self = identify(process.pid) ?? `${process.pid}:unknown:${boot}:${namespace}`;
  return {
    self,
    identityOf: identify,
    isAlive: (identity) => {
      const [pid, , bootOf, ...namespaceOf] = identity.split(':');
      const isElsewhere = bootOf === boot && namespaceOf.join(':') !== namespace;
      return isElsewhere || identify(Number(pid)) === identity;
    },
    pidOf: (identity) => Number(identity.split(':', 1)[0]),
  };
}

/** Clock ticks since boot at which a process started: field 22, counted behind the parenthesised name. */
function startTime(pid: number): string | undefined {
  const stat = read(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const isZombie = fields[0] === 'Z';
  return isZombie ? undefined : fields[19];
}

function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return 'unknown';
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}
