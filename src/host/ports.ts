/**
 * What the engine may ask of the machine. Capabilities see these interfaces and nothing else; only
 * `host/local` implements them. Paths are workspace paths: relative, normalised, `/`-separated, `.` the root.
 */
import type { Commands } from './command-ports.ts';
import type { Documents } from './document-ports.ts';
import type { Web } from './web-ports.ts';
import type { Git } from './git-ports.ts';

export type * from './code-index-ports.ts';
export type * from './command-ports.ts';
export type * from './document-ports.ts';
export type * from './git-ports.ts';
export type * from './language-ports.ts';
export type * from './process-ports.ts';

export type EntryKind = 'file' | 'directory' | 'link' | 'other';

/** Where a path leads once every link on the way has been followed inside the workspace. */
export interface ResolvedPath {
  /** The link-free workspace path. */
  readonly path: string;
  /** What is there now; `missing` where nothing is. */
  readonly kind: EntryKind | 'missing';
}

export interface FileStat {
  readonly kind: EntryKind;
  readonly size: number;
  /** Permission bits. */
  readonly mode: number;
  readonly modifiedMs: number;
  /** Changes whenever the content does. */
  readonly version: FileVersion;
}

/** Which content a file has, without looking at it; `missing` where there is no file. */
export type FileVersion = `${number}:${number}:${number}` | 'missing';

export interface DirectoryEntry {
  readonly name: string;
  readonly kind: EntryKind;
  /** For a link: what it leads to inside the workspace; `missing` where it dangles or leaves. */
  readonly target?: EntryKind | 'missing';
  readonly size: number;
  readonly modifiedMs: number;
}

/** Where some lines of a file start, as far as anyone has looked; kept while the file stays as it is. */
export interface LineMarks {
  /** The last known line at or before `line`; line 1 starts at 0. */
  before(line: number): LineMark;
  /** Remembers where a line starts. */
  note(mark: LineMark): void;
}

export interface LineMark {
  /** Counted from 1. */
  readonly line: number;
  readonly start: number;
}

/** An open regular file. Reads are positioned, so that a page deep in a large file costs no memory. */
export interface OpenFile extends AsyncDisposable {
  readonly stat: FileStat;
  readonly marks: LineMarks;
  /** Reads up to `length` bytes at `position`, into the given memory or new one; nothing is the end of the file. */
  read(position: number, length: number, into?: Buffer): Promise<Buffer>;
}

export interface WriteOptions {
  /** Names the temporary file, so that a start after a crash finds and removes it. */
  readonly callId: string;
  /** Permission bits; without them a replaced file keeps its own, and a new one gets the usual. */
  readonly mode?: number;
  /** What is to be replaced; anything else there is a conflict. */
  readonly expected?: FileVersion | undefined;
  readonly signal?: AbortSignal;
}

export interface RemoveOptions {
  /** Asked for every entry before the first one is removed; `false` stops the whole removal. */
  readonly mayRemove: (path: string) => boolean;
  readonly signal?: AbortSignal;
}

export interface MoveOptions {
  /** Asked for every entry before anything moves; `false` stops it all. */
  readonly mayMove: (from: string, to: string) => boolean;
  readonly signal?: AbortSignal;
}

/**
 * Files below one workspace root. `resolve` is the only member that follows links; every other one takes a
 * resolved path and refuses any link it meets, so what was decided is what is touched.
 */
export interface Files {
  resolve(path: string, options: { readonly followLast: boolean }): Promise<ResolvedPath>;
  open(path: string): Promise<OpenFile>;
  stat(path: string): Promise<FileStat>;
  /** What is in a directory, without files that are being written. */
  list(path: string): Promise<DirectoryEntry[]>;
  /** Replaces or creates a file in one step, parents included; mode and owner of a replaced file stay. */
  write(path: string, content: Uint8Array, options: WriteOptions): Promise<FileVersion>;
  /** Removes a file, a link itself, or a directory with all it holds; says how many files that were. */
  remove(path: string, options: RemoveOptions): Promise<{ files: number }>;
  /** Renames a file, a link itself or a directory; makes missing parents, and replaces nothing. */
  move(from: string, to: string, options: MoveOptions): Promise<{ files: number }>;
  /** Where a link points, as it is written. */
  readLink(path: string): Promise<string>;
  makeLink(path: string, target: string): Promise<void>;
  /** Makes a directory and its missing parents. */
  makeDirectory(path: string): Promise<void>;
  /** Of this name alone: a file that has other names becomes one of its own. */
  setMode(path: string, mode: number, options: { readonly callId: string }): Promise<void>;
  /** Counts the files at or below a path, showing every entry to `visit` first. */
  count(path: string, visit?: (path: string) => void): Promise<number>;
  /** Removes what crashed writes of a call left beside a path; says how many there were. */
  sweep(path: string, callId: string): Promise<number>;
}

/** What is looked for in files, and where. Links are never followed, `.git` is never entered. */
export interface GrepRequest extends TreeScope {
  /** A regular expression that takes linear time; a plain text where `isLiteral`. */
  readonly pattern: string;
  readonly isLiteral: boolean;
  readonly ignoreCase: boolean;
  /** Whether a match may span lines. */
  readonly isMultiline: boolean;
  /** Only files with a name like one of these globs; all where there are none. */
  readonly names: readonly string[];
  /** How many lines around a match are shown too. */
  readonly context: number;
  readonly maxPerFile?: number | undefined;
  /** Longer lines are cut. */
  readonly maxLineCharacters: number;
  /** Files in the order of their names; takes longer, since one thread does it all. */
  readonly inOrder: boolean;
  /** Files that must not be looked into. */
  readonly mayRead: (path: string) => boolean;
}

/** A part of the workspace that is searched, without what its `.gitignore` files name. */
export interface TreeScope {
  /** A resolved directory or, for what is in files, also a file. */
  readonly path: string;
  /** Names of entries that are skipped wherever they are. */
  readonly skip: readonly string[];
  readonly maxDepth?: number | undefined;
  readonly maxFileBytes?: number | undefined;
  readonly signal: AbortSignal;
}

export interface FoundLine {
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
  /** Whether it only surrounds a match. */
  readonly isContext: boolean;
}

export interface FileQuery extends TreeScope {
  /** Which files count. */
  readonly matches: (path: string) => boolean;
  /** How many are returned; all are counted. */
  readonly limit: number;
  /** Also what `.gitignore` files name. */
  readonly includeIgnored?: boolean;
}

/** Searches whole trees, as fast as the machine goes, and shows nothing that is not in the workspace. */
export interface Search {
  /** Visits the lines found until `visit` says no; says how many places could not be read. */
  grep(request: GrepRequest, visit: (found: FoundLine) => boolean): Promise<{ unreadable: number }>;
  /** The first files in the order of their names. */
  files(query: FileQuery): Promise<{ paths: string[]; total: number }>;
}

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds that only grow, with fractions. */
  monotonic(): number;
}

export type IdPrefix =
  | 'call'
  | 'ses'
  | 'apr'
  | 'que'
  | 'out'
  | 'turn'
  | 'chain'
  | 'proc'
  | `mem_${'s' | 'w' | 'u'}`;

/** Unique ids that sort by the time they were made. */
export interface Ids {
  next(prefix: IdPrefix): string;
  /** 32 hexadecimal digits, as W3C trace context wants them. */
  trace(): string;
}

/** The machine, for one workspace; disposing it lets go of the workspace. */
export interface Host extends Disposable {
  readonly files: Files;
  readonly search: Search;
  readonly commands: Commands;
  readonly documents: Documents;
  readonly web: Web;
  readonly git: Git;
  readonly clock: Clock;
  readonly ids: Ids;
  /** How file access is kept inside the workspace, in words a person can check. */
  readonly containment: string;
}

/** A folder of the user's own, outside every workspace. */
export interface UserFolder {
  readonly path: string;
  /** Its files, at any depth that is sane, and the links that were not followed. */
  list(): Promise<{ readonly files: readonly string[]; readonly skipped: readonly string[] }>;
  /** A file up to a size; a failure where it is larger. */
  readonly read: (file: string, maxBytes: number) => Promise<Buffer>;
}

/** A file that only grows; the state folder's own, never the workspace's. */
export interface AppendFile {
  readonly size: number;
  /** Appends all bytes or none; they are with the kernel when it returns. */
  append(bytes: Uint8Array): void;
  /** Waits until what was appended is on the disk. */
  sync(): Promise<void>;
  /** Cuts the file; for what a crash left behind. */
  truncate(size: number): void;
  close(): void;
}

/** Handrail's private folder: owner-only, never through a link. */
export interface StateDirectory {
  readonly path: string;
  /** Opens or makes a file for appending. */
  openAppend(name: string): AppendFile;
  /** The lines of a file with the byte each one starts at; a last line without its newline is `torn`. */
  lines(name: string): AsyncIterable<StateLine>;
  exists(name: string): boolean;
  list(folder: string): string[];
  /** Writes a small file in one step, replacing what was there. */
  writeWhole(name: string, content: Uint8Array): void;
  /** Writes a file of any size in one step, part by part; where a part can't be had, there is no file. */
  writeFrom(name: string, parts: AsyncIterable<Uint8Array>): Promise<void>;
  /** A whole file; undefined where there is none. */
  readWhole(name: string): Uint8Array | undefined;
  /** Up to `length` bytes of a file from `position`, and how large it is; nothing where there is none. */
  readPart(name: string, position: number, length: number): { bytes: Uint8Array; size: number };
  remove(name: string): void;
  /** The path of a file for a library that opens it itself; made private beforehand. */
  privateFile(name: string): string;
}

export interface StateLine {
  readonly text: string;
  readonly start: number;
  readonly torn: boolean;
}

/** A file of the user's own config folder. */
export interface UserFile {
  readonly path: string;
  /** Its text; undefined where there is none. */
  read(): string | undefined;
  /** Replaces it in one step, its folder included. */
  write(text: string): void;
  /** Whether it could be written. */
  canWrite(): boolean;
}

/** Which processes live, by an identity that is never used again. */
export interface ProcessTable {
  readonly self: string;
  isAlive(identity: string): boolean;
  /** Undefined where there is no such process. */
  identityOf(pid: number): string | undefined;
  /** The number that people know a process by. */
  pidOf(identity: string): number;
}
