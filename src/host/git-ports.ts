/** What the engine may ask of git. Whatever a repository says, none of the programs that it chose is run for an answer. */
import type { CommandRequest } from './command-ports.ts';

/** What was begun in a repository and is not over. */
export type GitProgress = 'merge' | 'rebase' | 'apply' | 'cherry-pick' | 'revert' | 'bisect';

/** One run of git. Words of a caller stand in fields of their own, where none of them can become an option. */
export interface GitStep {
  /** The verb and its options, each one written in the engine. */
  readonly words: readonly string[];
  /** Ids of commits, or names that were found to be ones. */
  readonly revisions?: readonly string[] | undefined;
  /** Below the repository, and meant literally. */
  readonly paths?: readonly string[] | undefined;
  readonly stdin?: string | undefined;
  /** It is about the settings of the repository itself; the verb is `config`. */
  readonly isOfSettings?: boolean | undefined;
}

/** The repositories of a workspace. */
export interface Git {
  /** The repository that a resolved path belongs to: the nearest one at or above it, never above the workspace. */
  open(path: string): Promise<Repository>;
  /** The branch that commits go to there; undefined where there is none, or no repository. */
  branchAt(path: string): string | undefined;
}

/** An open repository; disposing it removes what was made for its runs. */
export interface Repository extends Disposable {
  /** The workspace path of its files. */
  readonly path: string;
  /** Whether it is a work tree beside the main one. */
  readonly isLinked: boolean;
  /** Whether all of it lies in the workspace; only then can it be changed. */
  readonly isInside: boolean;
  readonly underWay: GitProgress | undefined;
  /** Whether it says that repositories lie in its folders. */
  readonly hasSubmodules: boolean;
  /** Filters that files go through on their way in or out, by name: programs, which are not run. */
  readonly filters: ReadonlySet<string>;
  /** What its own settings say, by lower-case names; of several values, the last. */
  readonly settings: ReadonlyMap<string, string>;
  /** Gets a run ready. */
  prepare(step: GitStep): Promise<GitCommand>;
  /** The same for runs that change the repository: one after another, until one fails. */
  prepareChange(steps: readonly GitStep[], options: GitPrograms): Promise<GitCommand>;
}

export interface GitPrograms {
  /** Whether hooks and filters of the repository run after all, confined like the run itself. */
  readonly runsPrograms: boolean;
}

/** A run of git as the commands port takes it. */
export type GitCommand = Pick<CommandRequest, 'program' | 'args' | 'directory' | 'env' | 'stdin' | 'given'>;
