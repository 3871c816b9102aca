/** Contents that undo needs: files in the state folder, named by their hash. Whether one could be kept is known beforehand. */
import { Failure } from '../failure.ts';
import type { Files, StateDirectory } from '../host/ports.ts';
import { type Captured, contentHash, kindAt } from './entry-state.ts';

/** How much undo keeps. */
export interface KeepingLimits {
  /** The largest file whose content is kept. */
  readonly maxFileBytes: number;
  /** The most that is kept at all: a change that alone needs more would be forgotten at once. */
  readonly quotaBytes: number;
}

/** The file of a content below the state folder. */
export function objectFile(hash: string): string {
  return `objects/${hash.slice(0, 2)}/${hash}`;
}

/** Keeps the content of a file, where it is not yet; null where there is none or it is too large. */
export function keepContent(state: StateDirectory, before: Captured): string | null {
  if (before.state.kind !== 'file' || before.content === undefined) return null;
  const name = objectFile(before.state.hash);
  if (!state.exists(name)) state.writeWhole(name, before.content);
  return before.state.hash;
}

/** A kept content; undefined where it is gone, or not what it was. */
export function keptContent(state: StateDirectory, hash: string): Uint8Array | undefined {
  const content = state.readWhole(objectFile(hash));
  return content !== undefined && contentHash(content) === hash ? content : undefined;
}

/** Whether undo could give back everything that is at and below a resolved path. Looks, and reads no content. */
export async function canKeep(files: Files, path: string, limits: KeepingLimits): Promise<boolean> {
  try {
    return (await bytesToKeep(files, path, limits.maxFileBytes)) <= limits.quotaBytes;
  } catch (error) {
    // What can't even be looked at is nothing to make promises about.
    if (error instanceof Failure) return false;
    throw error;
  }
}

/** Infinite where something can't be kept. */
async function bytesToKeep(files: Files, path: string, maxFileBytes: number): Promise<number> {
  const kind = await kindAt(files, path);
  if (kind === 'missing' || kind === 'link') return 0;
  if (kind === 'other') return Infinity;
  if (kind === 'file') {
    await using file = await files.open(path);
    return file.stat.size <= maxFileBytes ? file.stat.size : Infinity;
  }
  let bytes = 0;
  for (const { name } of await files.list(path)) {
    const inner = `${path}/${name}`;
    // It is listed, but its name can't be written.
    if ((await kindAt(files, inner)) === 'missing') return Infinity;
    bytes += await bytesToKeep(files, inner, maxFileBytes);
    if (bytes === Infinity) break;
  }
  return bytes;
}
