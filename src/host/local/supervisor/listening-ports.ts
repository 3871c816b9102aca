/** Which ports of a network somebody listens to, as the kernel tells. */
import { readFileSync } from 'node:fs';

const LISTENING = '0A';

/** Whether anything listens to a port in the network that a process is in; on any of its addresses. */
export function isListening(pid: number | 'self', port: number): boolean {
  const written = port.toString(16).toUpperCase().padStart(4, '0');
  return ['tcp', 'tcp6'].some((kind) =>
    socketsOf(`/proc/${pid}/net/${kind}`).some(
      ([, local = '', , state]) => state === LISTENING && local.endsWith(`:${written}`),
    ),
  );
}

function socketsOf(file: string): string[][] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/));
  } catch {
    return [];
  }
}
