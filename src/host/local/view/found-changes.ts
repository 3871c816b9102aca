/** What is known of a view: where it started from, its layers, and what was found in it. */
import type { ChangedEntry } from '../../ports.ts';
import type { DirectoryHandle } from '../directory-handle.ts';
import type { Fence } from './fence.ts';

/** A change with what tells whether somebody else made one, too. */
export interface FoundEntry extends ChangedEntry {
  /** Of what is in the workspace. */
  readonly version?: string;
  /** Somebody changed it while the command ran. */
  readonly isContested?: boolean;
}

export interface FoundChanges {
  readonly entries: FoundEntry[];
  readonly gaps: string[];
  /** What a person should know. */
  readonly notes: string[];
  /** Folders of the workspace that hold changes but may not be written by their owner, with their modes. */
  readonly shut: [path: string, mode: number][];
}

export interface Layers {
  readonly upper: DirectoryHandle;
  /** The workspace itself. */
  readonly lower: DirectoryHandle;
  readonly merged: DirectoryHandle;
}

/** What was known of the workspace right before the command. */
export interface ViewStart {
  readonly fence: Fence;
  /** What `.git/index` meant, which an editor writes anew whenever it looks at files. */
  readonly indexMeaning: () => string | undefined;
}

/** That of the workspace itself. */
export const GIT_INDEX = '.git/index';
