/**
 * What language servers know about the files of a workspace. Paths are resolved workspace paths; lines and characters
 * are counted from 0, characters in UTF-16 units, as the protocol of these servers does.
 */
import type { Confinement } from './command-ports.ts';

export interface TextPosition {
  readonly line: number;
  readonly character: number;
}

export interface TextRange {
  readonly start: TextPosition;
  readonly end: TextPosition;
}

/** A place in a file; without a path where the file is not in the workspace. */
export interface TextPlace {
  readonly uri: string;
  readonly path?: string | undefined;
  readonly range: TextRange;
}

export type Severity = 'error' | 'warning' | 'information' | 'hint';

export interface Diagnostic {
  readonly range: TextRange;
  readonly severity: Severity;
  readonly message: string;
  readonly code?: string | undefined;
  /** Who found it, where that is not the server itself. */
  readonly source?: string | undefined;
}

/** What was found in a file as it is now. */
export interface DiagnosticReport {
  readonly diagnostics: readonly Diagnostic[];
  /** How many more there are. */
  readonly leftOut: number;
  /** What was found in the file as it last was before; undefined where nobody had asked then. */
  readonly before?: readonly Diagnostic[] | undefined;
}

export interface HoverText {
  readonly contents: string;
  readonly kind: 'markdown' | 'plaintext';
}

export interface CodeSymbol {
  readonly name: string;
  /** A word such as `function`. */
  readonly kind: string;
  readonly container?: string | undefined;
  readonly place: TextPlace;
}

/** A file of the workspace that would read differently. */
export interface FileEdit {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** Why no server answers: none is known, it is not installed, it failed, or it is left alone for a while after it failed. */
export type NoAnswerStatus = 'unsupported' | 'not_installed' | 'error' | 'unavailable';

export interface NoAnswer {
  readonly status: NoAnswerStatus;
  readonly language?: string | undefined;
  readonly server?: string | undefined;
  /** A sentence. */
  readonly says: string;
  /** The command that installs it. */
  readonly install?: string | undefined;
  readonly timedOut?: boolean | undefined;
}

export interface Answered<Value> {
  readonly status: 'active';
  readonly language: string;
  readonly server: string;
  readonly value: Value;
  /** What the answer lacks, and why. */
  readonly note?: string | undefined;
}

export type Answer<Value> = Answered<Value> | NoAnswer;

export interface LanguageRequest {
  readonly path: string;
  readonly signal: AbortSignal;
  /** What a server that has to be started first is confined to. */
  readonly confine: () => Promise<Confinement>;
}

export interface PositionRequest extends LanguageRequest {
  readonly position: TextPosition;
}

export interface FileNotice {
  readonly path: string;
  readonly change: 'created' | 'updated' | 'deleted';
}

/** A language that servers are known for, as it is on this machine. */
export interface LanguageState {
  readonly language: string;
  readonly server: string;
  /** The file of the server; undefined where it is not installed. */
  readonly program?: string | undefined;
  readonly install: string;
  /** Whether it is meant to be there: by default, or because somebody set it up. */
  readonly isExpected: boolean;
  /** What a server that is there lacks. */
  readonly note?: string | undefined;
}

/**
 * One server a language, shared by all who ask: started by the first question, confined, kept in step with the files,
 * and stopped when nobody asks any more.
 */
export interface LanguageServers extends AsyncDisposable {
  diagnostics(request: LanguageRequest): Promise<Answer<DiagnosticReport>>;
  /** The same by a program that looks at one file and ends. */
  lint(request: LanguageRequest): Promise<Answer<DiagnosticReport>>;
  definition(request: PositionRequest): Promise<Answer<readonly TextPlace[]>>;
  references(request: PositionRequest): Promise<Answer<readonly TextPlace[]>>;
  hover(request: PositionRequest): Promise<Answer<HoverText | undefined>>;
  documentSymbols(request: LanguageRequest): Promise<Answer<readonly CodeSymbol[]>>;
  /** In all files of the language of a file. */
  workspaceSymbols(
    request: LanguageRequest & { readonly query: string },
  ): Promise<Answer<readonly CodeSymbol[]>>;
  /** What files would hold after the renaming; nothing is changed. */
  rename(request: PositionRequest & { readonly name: string }): Promise<Answer<readonly FileEdit[]>>;
  /** Tells the servers that run what was changed; they would notice at the next question only. */
  noticed(changes: readonly FileNotice[]): void;
}
