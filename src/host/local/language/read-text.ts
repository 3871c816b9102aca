/** A file's text as language servers are given it: UTF-8, without the mark some editors begin it with. */
import { Failure } from '../../../failure.ts';
import type { Files, FileVersion } from '../../ports.ts';

export interface ReadText {
  readonly text: string;
  readonly hasMark: boolean;
  /** Undefined where the file was written so lately that a later change might not show in it. */
  readonly fileVersion: FileVersion | undefined;
}

/** Clocks of file systems go in steps of some milliseconds. */
const FRESH_MS = 100;
/** Larger files are not looked at. */
const MAX_TEXT_BYTES = 4 * 1024 * 1024;

export async function readText(files: Files, path: string): Promise<ReadText> {
  await using file = await files.open(path);
  const { size, version, modifiedMs } = file.stat;
  if (size > MAX_TEXT_BYTES) {
    throw new Failure('E_TOO_LARGE', `${JSON.stringify(path)} is larger than a language server is given.`, {
      hint: `At most ${MAX_TEXT_BYTES / 1024 / 1024} MiB. Search it, or read the part that matters.`,
    });
  }
  const parts: Buffer[] = [];
  for (let position = 0; position < size; position += parts.at(-1)!.length) {
    const part = await file.read(position, size - position);
    if (part.length === 0) break;
    parts.push(part);
  }
  const whole = decode(Buffer.concat(parts), path);
  const hasMark = whole.startsWith('\uFEFF');
  const isFresh = Date.now() - modifiedMs < FRESH_MS;
  return {
    text: hasMark ? whole.slice(1) : whole,
    hasMark,
    fileVersion: isFresh ? undefined : version,
  };
}

function decode(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new Failure('E_ENCODING', `${JSON.stringify(path)} is not UTF-8 text.`, { cause });
  }
}
