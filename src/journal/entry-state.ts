/** What stands under a path at one moment, as undo compares and restores it. */
import { createHash, hash } from 'node:crypto';
import { Failure } from '../failure.ts';
import type { EntryState } from '../host/entry-state.ts';
import { gitIndexMeaning, isGitIndex, MAX_INDEX_BYTES } from '../host/git-index-meaning.ts';
import type { Files, FileStat, OpenFile } from '../host/ports.ts';

/** A state together with the content of a file. */
export interface Captured {
  readonly state: EntryState;
  readonly content?: Uint8Array;
  /** What the machine said of a file before it was read. */
  readonly stat?: FileStat;
}

/** The hash of a file's content. */
export function contentHash(content: Uint8Array): string {
  return hash('sha256', content);
}

/** Looks at a resolved path; the content of a file comes along where it is not larger than `maxBytes`. */
export async function capture(files: Files, path: string, maxBytes = 0): Promise<Captured> {
  const stat = await statOf(files, path);
  if (stat === undefined) return { state: { kind: 'missing' } };
  if (stat.kind === 'other') return { state: { kind: 'other' } };
  if (stat.kind === 'directory') return { state: { kind: 'directory', mode: stat.mode } };
  if (stat.kind === 'link') return { state: { kind: 'link', target: await files.readLink(path) } };
  try {
    await using file = await files.open(path);
    const { state, content } = await captureFile(path, file, maxBytes);
    return { state: { ...state, mode: stat.mode }, stat, ...(content === undefined ? {} : { content }) };
  } catch (error) {
    if (isForbidden(error)) return { state: { kind: 'other' } };
    throw error;
  }
}

/** What kind of thing stands under a path. */
export async function kindAt(files: Files, path: string): Promise<EntryState['kind']> {
  return (await statOf(files, path))?.kind ?? 'missing';
}

/** What the machine says of a resolved path; undefined where nothing is. */
export async function statOf(files: Files, path: string): Promise<FileStat | undefined> {
  try {
    return await files.stat(path);
  } catch (error) {
    const isAbsent = error instanceof Failure && (error.code === 'E_NOT_FOUND' || error.code === 'E_NOT_DIR');
    if (isAbsent) return undefined;
    throw error;
  }
}

function isForbidden(error: unknown): boolean {
  return error instanceof Failure && error.details?.['errno'] === 'EACCES';
}

/** The state of an open file but for its mode; its content comes along where it is not larger than `maxBytes`. */
export async function captureFile(
  path: string,
  file: OpenFile,
  maxBytes = 0,
): Promise<{ readonly state: FileState; readonly content?: Uint8Array }> {
  const isIndex = isGitIndex(path);
  const { hash, content } = await readContent(file, isIndex ? Math.max(maxBytes, MAX_INDEX_BYTES) : maxBytes);
  const meaning = isIndex && content !== undefined ? gitIndexMeaning(content) : undefined;
  return {
    state: { kind: 'file', hash, ...(meaning === undefined ? {} : { meaning }) },
    ...(content === undefined || content.length > maxBytes ? {} : { content }),
  };
}

type FileState = Extract<EntryState, { kind: 'file' }>;

const CHUNK_BYTES = 1024 * 1024;

/** Hashes a file in flat memory; what fits into `maxBytes` is kept on the way. */
async function readContent(file: OpenFile, maxBytes: number): Promise<{ hash: string; content?: Buffer }> {
  const running = createHash('sha256');
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunksOf(file)) {
    running.update(chunk);
    size += chunk.length;
    if (size <= maxBytes) chunks.push(chunk);
    else chunks.length = 0;
  }
  return { hash: running.digest('hex'), ...(size <= maxBytes ? { content: Buffer.concat(chunks) } : {}) };
}

/** The content of a file, a part at a time. */
export async function* chunksOf(file: OpenFile): AsyncGenerator<Buffer> {
  for (let size = 0; ;) {
    const asked = Math.min(CHUNK_BYTES, Math.max(4_096, file.stat.size - size + 1));
    const chunk = await file.read(size, asked);
    if (chunk.length > 0) yield chunk;
    // Only the end of a file gives less than was asked for.
    if (chunk.length < asked) return;
    size += chunk.length;
  }
}
