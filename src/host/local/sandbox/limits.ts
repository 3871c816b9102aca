/** Limits on processes and memory, as the shell that starts a command sets them. Root is exempt from that on processes. */
import { availableParallelism, totalmem } from 'node:os';
import type { CommandLimits } from '../../ports.ts';

export interface ShellLimits {
  /** Commands of the starting shell. */
  readonly script: string;
  readonly processes: number;
  readonly memoryBytes: number;
  readonly inForce: readonly string[];
}

const MEBIBYTE = 2 ** 20;
const LEAST_MEMORY = 2048 * MEBIBYTE;

/** The limits of a command in a name space of its own, where only its own processes count. */
export function ownLimits(asked: CommandLimits = {}): ShellLimits {
  const { processes = 1024 + 256 * availableParallelism() } = asked;
  const memory = memoryLimit(asked);
  return {
    // Shells disagree about the letter for processes.
    script: `${memory.script}; ulimit -u ${processes} 2>/dev/null || ulimit -p ${processes} 2>/dev/null`,
    processes,
    memoryBytes: memory.bytes,
    inForce: [memory.says, ...(isRoot() ? [] : [`processes: ${processes}`])],
  };
}

/** The limits of a command beside all other processes of the user, which a count would count too. */
export function sharedLimits(asked: CommandLimits = {}): Omit<ShellLimits, 'processes' | 'memoryBytes'> {
  const memory = memoryLimit(asked);
  return { script: memory.script, inForce: [memory.says] };
}

function memoryLimit({ memoryBytes = Math.max(LEAST_MEMORY, totalmem() * 0.75) }: CommandLimits) {
  const mebibytes = Math.floor(memoryBytes / MEBIBYTE);
  return {
    bytes: mebibytes * MEBIBYTE,
    script: `ulimit -c 0; ulimit -d ${mebibytes * 1024} 2>/dev/null`,
    says: `memory: ${mebibytes} MiB for each process`,
  };
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}
