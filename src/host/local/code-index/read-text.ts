/** Reads a file for the index by handles, through no link: its lines, or nothing where it holds no text worth finding. */
import { closeSync, fstatSync, readSync } from 'node:fs';
import type { FileVersion } from '../../ports.ts';
import { openRegular } from '../files.ts';
import { versionOf } from '../resolve.ts';
import type { Root } from '../root.ts';

/** Larger files are data, or made by programs. */
const MAX_BYTES = 1024 * 1024;
/** Lines of this length on average are no code that anyone wrote. */
const MAX_LINE_BYTES = 500;
/** Longer than the clock of any file system stands still: a change after this has another time. */
const SETTLED_MS = 50;

export interface ReadText {
  /** `missing` where it could still change without another one. */
  readonly version: FileVersion;
  /** None where it is binary, too large, or not written by people. */
  readonly lines: readonly string[];
}

/** A file as it is now, unless that is what is known of it; undefined where it is gone, or no plain file in the workspace. */
export function readText(root: Root, path: string, known?: string): ReadText | 'known' | undefined {
  let fd: number | undefined;
  try {
    fd = openRegular(root, path);
    const stat = fstatSync(fd);
    if (versionOf(stat) === known) return 'known';
    const version = Date.now() - stat.ctimeMs > SETTLED_MS ? versionOf(stat) : 'missing';
    if (stat.size > MAX_BYTES) return { version, lines: [] };
    const bytes = Buffer.allocUnsafe(stat.size);
    return { version, lines: linesOf(bytes.subarray(0, readSync(fd, bytes, 0, stat.size, 0))) };
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

function linesOf(bytes: Buffer): string[] {
  if (bytes.includes(0)) return [];
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  const lines = text.split(text.includes('\r') ? /\r?\n/ : '\n');
  if (lines.at(-1) === '') lines.pop();
  return bytes.length / Math.max(lines.length, 1) > MAX_LINE_BYTES && bytes.length > 10_000 ? [] : lines;
}
