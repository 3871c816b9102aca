/** What a turn did to the content of one entry, for a person to read: bounded, and with tokens masked. */
import type { Files, StateDirectory } from '../host/ports.ts';
import { type EntryState, sameState } from '../host/entry-state.ts';
import { capture } from './entry-state.ts';
import { keptContent } from './kept-contents.ts';
import { maskTokens } from './redact.ts';
import { type EntryChange, entryChanges, type TurnEntryParts } from './turn-entries.ts';

export interface EntryDiff {
  /** Unified; empty where nothing differs, or nothing can be shown. */
  readonly diff: string;
  /** Why nothing can be shown, or what has to be known about what is. */
  readonly note?: string;
}

export interface EntryDiffParts extends TurnEntryParts {
  readonly files: Files;
  readonly state: StateDirectory;
  /** Compares two contents, of which one may be missing; undefined where one is no text. */
  readonly compare: (
    path: string,
    before: Uint8Array | undefined,
    after: Uint8Array | undefined,
  ) => string | undefined;
}

/** Larger contents are not compared, and no more of a diff is shown. */
const MAX_BYTES = 2 * 1024 * 1024;
const MAX_LINES = 5_000;
const MAX_CHARACTERS = 400_000;

const NOT_TEXT = 'It is not text.';
const CHANGED_SINCE = 'It was changed since: this compares it with what it holds now.';
const TOO_LARGE = 'It is too large to be shown here.';
const BEFORE = { 'not kept': 'What it held before was not kept.', 'too large': TOO_LARGE };
const AFTER = {
  'not kept': 'It was changed since, and what this turn made of it was not kept.',
  'too large': TOO_LARGE,
};

/** The diff of one entry; undefined where the turn, or the entry in it, is not known. */
export async function entryDiff(
  parts: EntryDiffParts,
  turn: string,
  path: string,
): Promise<EntryDiff | undefined> {
  const change = (await entryChanges(parts, turn)).find((entry) => entry.path === path);
  if (change === undefined) return undefined;
  if (isSameContent(change)) return { diff: '' };
  const before = keptOf(parts.state, change.before);
  if (typeof before === 'string') return { diff: '', note: BEFORE[before] };
  const { content: after, note } = await contentAfter(parts, change);
  if (typeof after === 'string') return { diff: '', note: AFTER[after] };
  const diff = parts.compare(path, before, after);
  return diff === undefined ? { diff: '', note: NOT_TEXT } : bounded(diff, note);
}

function isSameContent({ before, after }: EntryChange): boolean {
  return before.kind === 'file' && after.kind === 'file' && before.hash === after.hash;
}

/** Undefined where an entry holds nothing that could be compared; words where it does and can't be shown. */
type Content = Uint8Array | undefined | 'not kept' | 'too large';

/** What an entry held, from what undo keeps; a link holds the path that it leads to. */
function keptOf(state: StateDirectory, entry: EntryState): Content {
  if (entry.kind === 'link') return Buffer.from(entry.target);
  if (entry.kind !== 'file') return entry.kind === 'other' ? 'not kept' : undefined;
  const content = keptContent(state, entry.hash) ?? 'not kept';
  return content.length > MAX_BYTES ? 'too large' : content;
}

/** What a turn left was kept if it was changed again; else it is still there, if nobody else changed it. */
async function contentAfter(
  { files, state }: EntryDiffParts,
  { path, after }: EntryChange,
): Promise<{ readonly content: Content; readonly note?: string }> {
  const kept = keptOf(state, after);
  if (kept !== 'not kept') return { content: kept };
  const { state: current, content = 'too large' } = await capture(files, path, MAX_BYTES);
  if (current.kind !== 'file') return { content: 'not kept' };
  return { content, ...(sameState(current, after) ? {} : { note: CHANGED_SINCE }) };
}

/** Whole lines only: half a token is not known for one. */
function bounded(diff: string, note: string | undefined): EntryDiff {
  const lines = diff.match(/[^\n]*\n/g) ?? [];
  let characters = 0;
  const isTooMuch = (line: string, index: number): boolean =>
    index >= MAX_LINES || (characters += line.length) > MAX_CHARACTERS;
  const end = lines.findIndex(isTooMuch);
  const cut = end === -1 ? undefined : `These are the first ${end} of ${lines.length} lines.`;
  const notes = [note, cut].filter((sentence) => sentence !== undefined);
  return {
    diff: maskTokens(cut === undefined ? diff : lines.slice(0, end).join('')),
    ...(notes.length === 0 ? {} : { note: notes.join(' ') }),
  };
}
