/**
 * What a process wrote, as files of a bounded size: the oldest is dropped when there are too many. Each is named by the
 * position of its first byte, so a position stays true when what was there is gone.
 */
import type { AppendFile, ProcessOutput, StateDirectory } from '../../ports.ts';

export interface ProcessLog extends Disposable {
  append(bytes: Uint8Array): void;
  /** How much was written so far. */
  readonly end: number;
}

const PART_BYTES = 1024 * 1024;
const MAX_PARTS = 8;
const NAME_DIGITS = 16;

/** Begins the log of a process. */
export function processLog(state: StateDirectory, id: string): ProcessLog {
  const starts: number[] = [];
  let file: AppendFile | undefined;
  let end = 0;
  const next = (): AppendFile => {
    file?.close();
    starts.push(end);
    if (starts.length > MAX_PARTS) state.remove(partName(id, starts.shift()!));
    return (file = state.openAppend(partName(id, end)));
  };
  return {
    append(bytes) {
      for (let done = 0; done < bytes.length;) {
        const part = file === undefined || file.size >= PART_BYTES ? next() : file;
        const chunk = bytes.subarray(done, done + PART_BYTES - part.size);
        part.append(chunk);
        done += chunk.length;
        end += chunk.length;
      }
    },
    get end() {
      return end;
    },
    [Symbol.dispose]: () => file?.close(),
  };
}

/** Up to so many bytes from a position on; without one, the last of them. Where older output is gone, from what is left. */
export function readLog(
  state: StateDirectory,
  id: string,
  position: number | undefined,
  maxBytes: number,
): ProcessOutput {
  const starts = state.list(folderOf(id)).map((name) => Number.parseInt(name, 10));
  const last = starts.at(-1);
  if (last === undefined) return { bytes: new Uint8Array(), position: 0, end: 0 };
  const end = last + state.readPart(partName(id, last), 0, 0).size;
  const from = Math.min(end, Math.max(starts[0]!, position ?? end - maxBytes));
  const chunks: Uint8Array[] = [];
  let read = 0;
  for (const [index, start] of starts.entries()) {
    if ((starts[index + 1] ?? end) <= from || read >= maxBytes) continue;
    const { bytes } = state.readPart(partName(id, start), from + read - start, maxBytes - read);
    // It was dropped while it was being read: what follows it is read instead.
    if (bytes.length === 0 && index < starts.length - 1) return readLog(state, id, position, maxBytes);
    chunks.push(bytes);
    read += bytes.length;
  }
  return { bytes: Buffer.concat(chunks), position: from, end };
}

/** Where a process's output is kept. */
export function folderOf(id: string): string {
  return `processes/${id}`;
}

function partName(id: string, start: number): string {
  return `${folderOf(id)}/${String(start).padStart(NAME_DIGITS, '0')}.log`;
}
