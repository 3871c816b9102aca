/** A text file as it is, with what a change of it has to know. */
import { Failure } from '../../failure.ts';
import type { ScopedFiles } from '../../runtime/operation.ts';
import { decodeText, readWhole } from '../fs/text.ts';

export interface TextFile {
  readonly bytes: Uint8Array;
  readonly text: string;
  readonly isExecutable: boolean;
}

/** Reads a text file of at most `maxBytes`. */
export async function readText(files: ScopedFiles, path: string, maxBytes: number): Promise<TextFile> {
  await using file = await files.open(path);
  const bytes = await readWhole(file, path, maxBytes);
  return { bytes, text: decodeText(bytes, path), isExecutable: (file.stat.mode & 0o111) !== 0 };
}

/** The same, or undefined where nothing is. */
export async function readTextIfThere(
  files: ScopedFiles,
  path: string,
  maxBytes: number,
): Promise<TextFile | undefined> {
  try {
    return await readText(files, path, maxBytes);
  } catch (error) {
    if (error instanceof Failure && error.code === 'E_NOT_FOUND') return undefined;
    throw error;
  }
}

/** A text as it will be written; too much of it, or what UTF-8 can't carry, is a failure about `path`. */
export function toBytes(text: string, path: string, maxBytes: number): Uint8Array {
  if (!text.isWellFormed()) {
    throw new Failure(
      'E_ENCODING',
      'The new text holds half a Unicode character, which UTF-8 can not carry.',
    );
  }
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return bytes;
  throw new Failure(
    'E_TOO_LARGE',
    `${JSON.stringify(path)} would have ${bytes.length} bytes, more than the ${maxBytes} that can be written.`,
    { details: { file_size: bytes.length, max_size: maxBytes } },
  );
}
