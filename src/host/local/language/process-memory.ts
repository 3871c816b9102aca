/** The memory of a process with all it started, as the kernel counts what is resident. */
import { readFileSync } from 'node:fs';

/** The resident bytes of a tree of processes; 0 where it is gone, or nothing is known. */
export function treeMemory(pid: number): number {
  const [, kibibytes = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`)) ?? [];
  const children = read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean);
  return children.reduce((sum, child) => sum + treeMemory(Number(child)), Number(kibibytes) * 1_024);
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
