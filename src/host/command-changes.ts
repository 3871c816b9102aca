/** What a command did to the workspace, as the engine sees it: known, not yet taken over where it ran in a view. */
import type { EntryState } from './entry-state.ts';
import type { OpenFile } from './ports.ts';

/** What of a command's changes undo can take back: everything, what there was room and right to keep, or nothing. */
export type UndoLevel = 'exact' | 'part' | 'none';

/** How the changes of a command are to be known. */
export interface Capture {
  /** Only in a copy-on-write view; or, where there is none, on the workspace itself with copies kept of it. */
  readonly way: 'view' | 'any';
  /** Whether it must not run on the workspace itself without copies of everything. */
  readonly mustCover: boolean;
  /** Kept beside the changes for whoever finds them after a crash. */
  readonly label: string;
}

/** One entry that is not what it was; what only was touched is none. */
export interface ChangedEntry {
  readonly path: string;
  readonly before: EntryState;
  readonly after: EntryState;
  /** How large a file was. */
  readonly bytesBefore?: number | undefined;
  /** How large a file is. */
  readonly bytesAfter?: number | undefined;
}

/**
 * The changes of one command. From a view, nothing of them is in the workspace until they are taken over; disposing
 * drops them.
 */
export interface CommandChanges extends AsyncDisposable {
  readonly id: string;
  /** Whether the workspace has them already. */
  readonly isApplied: boolean;
  /** Parents come before what they hold. */
  readonly entries: readonly ChangedEntry[];
  /** What is not covered or was left out, each a sentence. */
  readonly gaps: readonly string[];
  /** What a person should know about how it was run, each a sentence. */
  readonly notes: readonly string[];
  /** The new content of a changed file. */
  open(path: string): Promise<OpenFile>;
  /** The old content of a changed file. */
  openBefore(path: string): Promise<OpenFile>;
  /** The changed paths that somebody else changed, too, since the command began. */
  conflicts(): Promise<readonly string[]>;
  /** Brings every entry of the workspace into its new state; one that has it already is done. */
  takeOver(): Promise<void>;
}

/** Changes that processes which are gone left behind. */
export interface LeftChanges {
  list(): readonly { readonly id: string; readonly label: string; readonly isApplied: boolean }[];
  reopen(id: string): Promise<CommandChanges>;
  drop(id: string): Promise<void>;
}
