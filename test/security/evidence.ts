/** What is left after an attack, read from the disk and not from what anybody says about it. */
import { hash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { AuditLine, ClosedRecord } from '../../src/journal/audit-record.ts';
import type { TempWorkspace } from '../support/temp-workspace.ts';

/** What belongs to the workspace or to Handrail; everything else beside them is outside. */
const NOT_OUTSIDE = new Set(['ws', 'state', 'xdg-state', 'xdg-config']);

/** Every entry outside the workspace: kind and mode, modification time, content. Two of them are equal only if nothing happened. */
export function snapshotOutside({ root }: TempWorkspace): Record<string, string> {
  const base = dirname(root);
  const entries = readdirSync(base).filter((name) => !NOT_OUTSIDE.has(name));
  return Object.fromEntries(entries.flatMap((name) => snapshot(join(base, name))));
}

function snapshot(path: string): [string, string][] {
  const stat = lstatSync(path, { bigint: true });
  const about = `${stat.mode.toString(8)} ${stat.mtimeNs}`;
  if (stat.isDirectory()) {
    return [[path, about], ...readdirSync(path).flatMap((name) => snapshot(join(path, name)))];
  }
  if (stat.isSymbolicLink()) return [[path, `${about} ${readlinkSync(path)}`]];
  return [[path, stat.isFile() ? `${about} ${hash('sha256', readFileSync(path))}` : about]];
}

/** Every line of every audit file below a state folder, in order; one that is no record fails here. */
export function auditLines(state: string): AuditLine[] {
  return chainFiles(state).flatMap((file) => {
    const read = readLines.get(file);
    // Attacks look at the audit after every call, and most of it is as it was.
    const known = read !== undefined && bytesOf(file, read.from, read.to).equals(read.last) ? read : NOTHING;
    const added = bytesOf(file, known.to, lstatSync(file).size);
    // A last line without its end is looked at again once it has one.
    const whole = added.subarray(0, added.lastIndexOf('\n') + 1);
    if (whole.length === 0) return known.lines;
    const lines = whole.toString().trimEnd().split('\n');
    const to = known.to + whole.length;
    const last = Buffer.from(`${lines.at(-1)}\n`);
    const all = [...known.lines, ...lines.map((line) => JSON.parse(line) as AuditLine)];
    readLines.set(file, { lines: all, last, from: to - last.length, to });
    return all;
  });
}

/** The lines of a file that are known, and where the last of them stands. */
interface ReadLines {
  readonly lines: AuditLine[];
  readonly last: Buffer;
  readonly from: number;
  readonly to: number;
}

const NOTHING: ReadLines = { lines: [], last: Buffer.alloc(0), from: 0, to: 0 };
const readLines = new Map<string, ReadLines>();

function bytesOf(file: string, from: number, to: number): Buffer {
  const bytes = Buffer.alloc(Math.max(0, to - from));
  const descriptor = openSync(file, 'r');
  try {
    return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, from));
  } finally {
    closeSync(descriptor);
  }
}

/** The records of calls that ended, oldest first. */
export function closedRecords(state: string): ClosedRecord[] {
  return auditLines(state).filter((line): line is AuditLine & ClosedRecord => line.event === 'closed');
}

/** The audit's files, oldest chain first. */
export function chainFiles(state: string): string[] {
  return filesBelow(state)
    .filter((file) => file.endsWith('.jsonl'))
    .sort((one, other) => (basename(one) < basename(other) ? -1 : 1));
}

/**
 * The files below a folder whose bytes hold any of the given texts. What undo keeps is left out: to give back a
 * file as it was, it has to have it as it was.
 */
export function filesHolding(folder: string, ...texts: readonly string[]): string[] {
  return filesBelow(folder).filter((file) => {
    const bytes = readFileSync(file);
    return !file.includes('/objects/') && texts.some((text) => bytes.includes(text));
  });
}

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
