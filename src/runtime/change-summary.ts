/** What a command changed, for a person to look at before it counts: a diff, within bounds, that names every entry. */
import { hash } from 'node:crypto';
import type { ChangedEntry, CommandChanges, OpenFile } from '../host/ports.ts';
import { losesContent } from '../journal/change-rows.ts';

/** Compares two contents, of which one may be missing; undefined where one is no text. */
export type Compare = (
  path: string,
  before: Uint8Array | undefined,
  after: Uint8Array | undefined,
) => string | undefined;

/** Larger files are not compared; more text than this nobody reads. */
const MAX_FILE_BYTES = 512 * 1024;
const MAX_CHARACTERS = 400_000;
const MAX_ENTRIES = 10_000;

/** The changes as text: first how many, then each. */
export async function summarise(changes: CommandChanges, compare: Compare): Promise<string> {
  const { entries, gaps, notes } = changes;
  const parts = [countOf(entries), ...gaps, ...notes];
  let room = MAX_CHARACTERS;
  for (const entry of entries.slice(0, MAX_ENTRIES)) {
    const part = room > 0 ? ((await diffOf(changes, entry, compare)) ?? lineOf(entry)) : lineOf(entry);
    parts.push(part.length > room ? lineOf(entry) : part);
    room -= part.length;
  }
  if (entries.length > MAX_ENTRIES) parts.push(`… and ${entries.length - MAX_ENTRIES} more entries`);
  return parts.map((part) => part.replace(/\n$/, '')).join('\n');
}

/** What makes these changes these and no others. */
export function digestOf({ entries }: CommandChanges): string {
  const told = entries.map(({ path, before, after }) => [path, before, after]);
  return hash('sha256', JSON.stringify(told));
}

function countOf(entries: readonly ChangedEntry[]): string {
  const counts = { created: 0, updated: 0, deleted: 0 };
  for (const { before, after } of entries)
    counts[before.kind === 'missing' ? 'created' : after.kind === 'missing' ? 'deleted' : 'updated']++;
  const said = Object.entries(counts).filter(([, count]) => count > 0);
  if (said.length === 0) return 'It changes nothing in the workspace.';
  return `It changes ${entries.length} ${entries.length === 1 ? 'entry' : 'entries'}: ${said
    .map(([what, count]) => `${count} ${what}`)
    .join(', ')}.`;
}

async function diffOf(
  changes: CommandChanges,
  { path, before, after, bytesBefore = 0, bytesAfter = 0 }: ChangedEntry,
  compare: Compare,
): Promise<string | undefined> {
  const isFile = [before, after].some(({ kind }) => kind === 'file');
  const isPlain = [before, after].every(({ kind }) => kind === 'file' || kind === 'missing');
  if (!isFile || !isPlain || Math.max(bytesBefore, bytesAfter) > MAX_FILE_BYTES) return undefined;
  if (before.kind === 'file' && !losesContent(before, after)) return undefined;
  const [old, now] = [
    before.kind === 'file' ? await contentOf(await changes.openBefore(path)) : undefined,
    after.kind === 'file' ? await contentOf(await changes.open(path)) : undefined,
  ];
  return compare(path, old, now) || undefined;
}

async function contentOf(opened: OpenFile): Promise<Uint8Array> {
  await using file = opened;
  const parts: Buffer[] = [];
  for (let at = 0; ;) {
    const part = await file.read(at, MAX_FILE_BYTES);
    if (part.length === 0) return Buffer.concat(parts);
    parts.push(part);
    at += part.length;
  }
}

/** An entry in one line, where there is no diff to show. */
function lineOf({ path, before, after, bytesBefore, bytesAfter }: ChangedEntry): string {
  return `${JSON.stringify(path)}: ${stateOf(before, bytesBefore)} -> ${stateOf(after, bytesAfter)}`;
}

function stateOf(state: ChangedEntry['before'], bytes: number | undefined): string {
  if (state.kind === 'missing') return 'nothing';
  if (state.kind === 'link') return `link to ${JSON.stringify(state.target)}`;
  const mode = 'mode' in state && state.mode !== undefined ? ` ${state.mode.toString(8)}` : '';
  return `${state.kind}${mode}${bytes === undefined ? '' : `, ${bytes} bytes`}`;
}
