/** Contents that undo needs: files in the state folder, named by their hash. Whether one could be kept is known beforehand. */
import { createHash } from 'node:crypto';
import { Failure } from '../failure.ts';
import type { Files, OpenFile, StateDirectory } from '../host/ports.ts';
import { type Captured, chunksOf, contentHash, kindAt } from './entry-state.ts';

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

/** A content that undo will need. */
export interface Kept {
  readonly hash: string;
  readonly bytes: number;
  /** Writes it where it is not yet. */
  write(): Promise<void>;
}

/** The content of a file that was read whole; undefined where there is none, or it is too large. */
export function keptCapture(state: StateDirectory, { state: before, content }: Captured): Kept | undefined {
  if (before.kind !== 'file' || content === undefined) return undefined;
  const name = objectFile(before.hash);
  return {
    hash: before.hash,
    bytes: content.length,
    async write() {
      if (!state.exists(name)) state.writeWhole(name, content);
    },
  };
}

/** The content of a file that can be opened and has a known hash; it is never in memory as a whole. */
export function keptFile(
  state: StateDirectory,
  { hash, bytes }: Pick<Kept, 'hash' | 'bytes'>,
  open: () => Promise<OpenFile>,
): Kept {
  const name = objectFile(hash);
  return {
    hash,
    bytes,
    async write() {
      if (state.exists(name)) return;
      await using file = await open();
      await state.writeFrom(name, checked(chunksOf(file), hash));
    },
  };
}

async function* checked(chunks: AsyncIterable<Buffer>, expected: string): AsyncGenerator<Buffer> {
  const running = createHash('sha256');
  for await (const chunk of chunks) {
    running.update(chunk);
    yield chunk;
  }
  if (running.digest('hex') !== expected)
    throw new Failure('E_CONFLICT', 'A file was changed while its content was being kept.', {
      hint: 'Nothing was changed. Try again.',
    });
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
