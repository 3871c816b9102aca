/** What the engine may ask of the machine to run: commands by argument list, and what confines them. */
import type { Readable, Writable } from 'node:stream';
import type { Capture, CommandChanges, LeftChanges, UndoLevel } from './command-changes.ts';
import type { AppendFile } from './ports.ts';

export type * from './command-changes.ts';

/** How a command is confined: by bubblewrap, the same without a `/proc` of its own, by macOS's Seatbelt, or not at all. */
export type SandboxTier = 'A' | 'A-' | 'seatbelt' | 'C';

export interface SandboxReport {
  readonly tier: SandboxTier;
  /** What holds, and what does not, as a sentence. */
  readonly says: string;
  /** How to get a better one. */
  readonly hint?: string;
  /** What can be taken back of a command that changes files here. */
  readonly undo: UndoLevel;
  /** Why that much, as a sentence. */
  readonly undoSays: string;
}

/** What a confined command may do. */
export interface Confinement {
  /** The workspace can't be changed. */
  readonly isReadOnly: boolean;
  /** Besides the workspace only the system itself is there: no other folders of the machine. */
  readonly isNarrow?: boolean;
  /** Folders of the machine that are there besides, read-only: of a program that a person chose. */
  readonly shown?: readonly string[];
  /** Workspace paths that look empty. */
  readonly hidden: readonly string[];
  /** Workspace paths that can't be changed. Only what exists can be held; git's hooks and config always are. */
  readonly frozen: readonly string[];
  /** Git's config can be changed after all: for runs of git that obey nothing in the repository. */
  readonly opensGitConfig?: boolean | undefined;
  /**
   * Hosts that can be reached: a name, `*.` and a domain, an address, `@npm` and the like for a registry, `*` for
   * everything public. None: no network at all.
   */
  readonly hosts: readonly string[];
  /** Whose `/tmp` it is. */
  readonly session: string;
  /** What it shares with other commands of the session; without it, it is alone with its loopback. */
  readonly network?: SessionNetwork | undefined;
  /** The least that must hold; where it does not, nothing runs. */
  readonly minimum?: SandboxTier | undefined;
}

/** A network of several commands, by a process that is in it, and the kernel's name for it. */
export interface SessionNetwork {
  readonly pid: number;
  readonly name: string;
}

export type OutputStream = 'stdout' | 'stderr';

export interface CommandRequest {
  readonly program: string;
  readonly args: readonly string[];
  /** A workspace path. */
  readonly directory: string;
  /** What is added to the minimal environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Folders of Handrail's own that it is shown. */
  readonly given?: readonly GivenFolder[] | undefined;
  /** Closed where nothing is given. */
  readonly stdin?: string | Uint8Array | undefined;
  /** A terminal of this size instead of pipes; everything then comes as stdout. */
  readonly terminal?: { readonly columns: number; readonly rows: number } | undefined;
  readonly timeoutMs: number;
  /** Per stream; what is left out is counted. */
  readonly maxOutputBytes: number;
  /** What of a longer output is kept. */
  readonly keep: 'head-and-tail' | 'tail';
  /** `none`: a human approved this very command to run outside the sandbox. */
  readonly confinement: Confinement | 'none';
  /** Takes the output of both streams as it comes, up to its size. */
  readonly spool?: OutputSpool | undefined;
  /** Over the machine's usual limits. */
  readonly limits?: CommandLimits | undefined;
  /** Without it, what is changed goes to the workspace, and nobody looks. */
  readonly capture?: Capture | undefined;
  readonly signal: AbortSignal;
  /** Hears everything as it comes, whatever is kept. */
  readonly onOutput?: ((stream: OutputStream, chunk: Uint8Array) => void) | undefined;
}

/** A folder that a confined command sees besides the workspace; one that is not confined sees it where it is. */
export interface GivenFolder {
  readonly source: string;
  readonly place: string;
  readonly isWritable: boolean;
}

export interface OutputSpool {
  readonly file: Pick<AppendFile, 'append'>;
  readonly maxBytes: number;
}

export interface CommandLimits {
  readonly processes?: number | undefined;
  readonly memoryBytes?: number | undefined;
}

export interface CommandResult {
  /** 124 after a time-out, 128 plus the signal's number where one ended it. */
  readonly exitCode: number;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  readonly truncated: { readonly stdout: boolean; readonly stderr: boolean };
  readonly totalBytes: { readonly stdout: number; readonly stderr: number };
  readonly timedOut: boolean;
  readonly durationMs: number;
  /** What confined it; `C` also where it was approved to run outside. */
  readonly tier: SandboxTier;
  /** Each host that a connection was made to, once. */
  readonly hostsReached: readonly string[];
  /** Each host that was asked for in vain, once. */
  readonly hostsDenied: readonly string[];
  /** The limits on memory and processes, in words. */
  readonly limitsInForce: readonly string[];
  /** Where they were to be known. */
  readonly changes?: CommandChanges | undefined;
}

/** A process that goes on; the signal ends it. */
export type StartRequest = Pick<
  CommandRequest,
  'program' | 'args' | 'directory' | 'env' | 'terminal' | 'confinement' | 'limits' | 'signal'
> & {
  /** By which whoever comes after a crash finds what was started outside of a sandbox. */
  readonly mark?: string | undefined;
};

export interface RunningCommand {
  /** Of the process that was started here; what runs inside ends with it. */
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Silent in a terminal. */
  readonly stderr: Readable;
  readonly tier: SandboxTier;
  /** Settles once nothing of it is left, and its output was read or waited for in vain. */
  readonly exited: Promise<{ readonly exitCode: number }>;
  /** Of the terminal. */
  resize(columns: number, rows: number): void;
  /** Asks it to end, then makes it. */
  stop(): Promise<void>;
  hosts(): { readonly reached: readonly string[]; readonly denied: readonly string[] };
}

/** Commands by argument list; a shell only where the caller names one. */
export interface Commands {
  /** What confines commands here; tried with the real thing, once, on first use. */
  sandbox(): Promise<SandboxReport>;
  run(request: CommandRequest): Promise<CommandResult>;
  /** Starts a command that goes on until it ends, is stopped, or this host is disposed. */
  start(request: StartRequest): Promise<RunningCommand>;
  readonly left: LeftChanges;
}
