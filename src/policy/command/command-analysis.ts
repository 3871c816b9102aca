/** What the analysis of a command line says: every simple command that may run, and the files and hosts it is sure about. */

/** A word as the program would get it; undefined where only the shell could tell, or where it may become an option. */
export type Word = string | undefined;

/**
 * How sure it is that a command only reads. `sandboxed`: as long as the workspace can't be changed and what is hidden stays
 * so. That holds for git, whose repository may name programs to run, and for readers of files that only the shell knows.
 */
export type OnlyReads = 'always' | 'sandboxed' | false;

/** One simple command that may run. */
export interface CommandPart {
  /** The program first, quotes removed. A glob that can't become an option stands as it is written. */
  readonly words: readonly Word[];
  /** The words quoted for a shell where needed; unknown ones and globs as they were written. */
  readonly text: string;
  /** Names of the variables set for it. */
  readonly assignments: readonly string[];
  /** The workspace path it runs in; undefined where unknown or outside. */
  readonly directory: string | undefined;
  readonly onlyReads: OnlyReads;
  /** It does nothing but start what is a part of its own: it needs no permission, but may be forbidden. */
  readonly isWrapper?: true;
  /** It reads files that only the shell knows: any that there are to be seen. */
  readonly isBlind?: true;
  /** Why no rule that allows may count: a sentence for a person and a model. */
  readonly unclear?: string;
  /** What it changes in a repository: `commit`, `push`, `branch -d` … */
  readonly gitWrite?: string;
}

/** A file or a whole tree that is read or written; the path is absolute and lexically normalised. */
export interface FileUse {
  readonly use: 'read' | 'write';
  readonly path: string;
  readonly isTree: boolean;
}

export interface CommandAnalysis {
  /** Every simple command that may run, those inside wrappers and substitutions too. */
  readonly parts: readonly CommandPart[];
  /** Redirections of everything, and operands of the commands that are known here. */
  readonly files: readonly FileUse[];
  /** Hosts of `/dev/tcp/HOST/PORT`. */
  readonly hosts: readonly string[];
  /** Why the whole can't be told. Parts that were found still count. */
  readonly unclear: readonly string[];
}

/** Where a command runs: the workspace's real path, and a workspace path. */
export interface CommandPlace {
  readonly root: string;
  readonly directory: string;
}
