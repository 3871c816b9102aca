/** A turn: what it did, entry by entry. */
import { Failure } from '../../failure.ts';
import type { EntryDiff } from '../../journal/entry-diff.ts';
import type { TurnEntry } from '../../journal/turn-entries.ts';
import type { Runtime } from '../../runtime-types.ts';

/** What a turn did to each entry, without what is in them. */
export async function entriesOf(runtime: Runtime, turn: string): Promise<TurnEntry[]> {
  const entries = await runtime.turnEntries(turn);
  if (entries.length > 0) return entries;
  throw new Failure('E_NOT_FOUND', 'There is no such turn in this workspace.');
}

/** What a turn did to the content of one entry. */
export async function diffOf(runtime: Runtime, turn: string, path: string): Promise<EntryDiff> {
  const diff = await runtime.entryDiff(turn, path);
  if (diff !== undefined) return diff;
  throw new Failure('E_NOT_FOUND', 'There is no such entry in a turn of this workspace.');
}
