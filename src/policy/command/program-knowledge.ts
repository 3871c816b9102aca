/** What can be known about a program with exactly these words. */
import type { OnlyReads } from './command-analysis.ts';
import type { UsedFile } from './findings.ts';
import type { ShellWord } from './words.ts';
import type { Inner } from './wrappers.ts';

export interface Knowledge {
  readonly onlyReads: OnlyReads;
  readonly files: readonly UsedFile[];
  readonly unclear?: string;
  readonly gitWrite?: string;
  /** Where it works, if not in the directory of the shell. */
  readonly directory?: ShellWord;
  /** What it starts. */
  readonly inner?: readonly Inner[];
}
