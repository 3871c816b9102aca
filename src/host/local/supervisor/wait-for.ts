/** Waiting for what a process does: text in a line, a port, its end; or the end of patience. */
import type { StateDirectory, Waited, WaitFor } from '../../ports.ts';
import { isListening } from './listening-ports.ts';
import { readLog } from './process-log.ts';
import type { SupervisedProcess } from './supervised-process.ts';

const PAGE_BYTES = 64 * 1024;
/** Of a longer line only the end is looked at. */
const MAX_LINE = 64 * 1024;
const PORT_EVERY_MS = 50;

/** Waits; gives up at the signal. */
export async function waitFor(
  state: StateDirectory,
  id: string,
  process: SupervisedProcess,
  what: WaitFor,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Waited> {
  const look = lookingFor(state, id, process.network?.pid, what);
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  for (;;) {
    // Before the look: what comes while it looks is not missed.
    const change = nextChange(process, limit, 'port' in what);
    const hasEnded = process.gone.aborted;
    const found = look();
    if (found !== undefined) return found;
    if (hasEnded) return afterItsEnd(state, id, what);
    signal.throwIfAborted();
    if (limit.aborted) return { outcome: 'timed-out' };
    await change;
  }
}

/** What came of it, where the process is gone. */
export function afterItsEnd(state: StateDirectory, id: string, what: WaitFor): Waited {
  if ('exit' in what) return { outcome: 'met' };
  const found = 'text' in what ? lookingForText(state, id, what.text, what.from)() : undefined;
  return found ?? { outcome: 'ended' };
}

function lookingFor(
  state: StateDirectory,
  id: string,
  holder: number | undefined,
  what: WaitFor,
): () => Waited | undefined {
  if ('exit' in what) return () => undefined;
  if ('text' in what) return lookingForText(state, id, what.text, what.from);
  return () => (isListening(holder ?? 'self', what.port) ? { outcome: 'met' } : undefined);
}

function lookingForText(
  state: StateDirectory,
  id: string,
  text: string,
  from: number,
): () => Waited | undefined {
  const parts = text.split('*');
  const decoder = new TextDecoder();
  let position = from;
  let rest = '';
  return () => {
    for (;;) {
      const page = readLog(state, id, position, PAGE_BYTES);
      if (page.bytes.length === 0) return undefined;
      position = page.position + page.bytes.length;
      const lines = (rest + decoder.decode(page.bytes, { stream: true })).split('\n');
      // What a process asks, it asks without ending the line.
      const line = lines.find((candidate) => contains(candidate, parts));
      if (line !== undefined) return { outcome: 'met', line: line.replace(/\r$/, '') };
      rest = lines.at(-1)!.slice(-MAX_LINE);
    }
  };
}

/** Whether the parts come in a line one after the other. */
function contains(line: string, parts: readonly string[]): boolean {
  let from = 0;
  return parts.every((part) => {
    const at = line.indexOf(part, from);
    from = at + part.length;
    return at !== -1;
  });
}

/** The kernel tells nobody about new ports: they are looked for. */
function nextChange(process: SupervisedProcess, limit: AbortSignal, isPort: boolean): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stop();
      clearTimeout(timer);
      limit.removeEventListener('abort', done);
      resolve();
    };
    const timer = isPort ? setTimeout(done, PORT_EVERY_MS) : undefined;
    const stop = process.onChange(done);
    limit.addEventListener('abort', done);
    if (limit.aborted || process.gone.aborted) done();
  });
}
