/** Limits on processes and memory, set by the shell that starts a command. */
import { availableParallelism, totalmem } from 'node:os';
import type { CommandLimits } from '../../ports.ts';

export interface ShellLimits {
  /** Lines of the starting shell. */
  readonly script: string;
  readonly inForce: readonly string[];
}

const GIBIBYTE = 2 ** 30;

/** What is set for every process of a command. Root is exempt from the count of processes. */
export function shellLimits({ processes, memoryBytes }: CommandLimits = {}): ShellLimits {
  const isRoot = process.getuid?.() === 0;
  const count = processes ?? 1024 + 256 * availableParallelism();
  const memory = memoryBytes ?? Math.max(2 * GIBIBYTE, Math.floor(totalmem() * 0.75));
  return {
    // Shells disagree about the letter for processes.
    script: [
      'ulimit -c 0',
      `ulimit -d ${Math.floor(memory / 1024)} 2>/dev/null`,
      ...(isRoot ? [] : [`ulimit -u ${count} 2>/dev/null || ulimit -p ${count} 2>/dev/null`]),
    ].join('; '),
    inForce: [
      `memory: ${Math.floor(memory / 2 ** 20)} MiB for each process`,
      ...(isRoot ? [] : [`processes: ${count}`]),
    ],
  };
}
