/** The host's ports as an operation sees them: narrowed to what its call declared and was granted. */
import type {
  Answer,
  CodeAnswer,
  CodeQuestion,
  CodeSymbol,
  BackgroundProcess,
  BackgroundProcesses,
  BackgroundRequest,
  CommandRequest,
  CommandResult,
  DiagnosticReport,
  DirectoryEntry,
  DocumentPart,
  DocumentText,
  EntryKind,
  FileEdit,
  Files,
  FileQuery,
  FoundLine,
  GitStep,
  GrepRequest,
  Repository,
  HoverText,
  ProcessOutput,
  SandboxReport,
  TextPlace,
  TextPosition,
  Waited,
  WaitFor,
} from '../host/ports.ts';
import type { ReadablePage, WebAnswer, WebRequest } from '../host/web-ports.ts';
import type { CommandEffects } from './command-effects.ts';
import type { Asked, DisplayMessage, UserAnswer } from './people.ts';

/** The files port as an operation sees it: by the paths it declared, and no others. */
export type ScopedFiles = Pick<Files, 'open' | 'stat' | 'count'> & {
  /** What stands at a path that is to be read or deleted. */
  kindOf(path: string): Promise<EntryKind>;
  /** A declared directory as it is; or, for whole trees, what lies at `below` in it, without what the policy denies. */
  list(path: string, below?: string): Promise<DirectoryEntry[]>;
  write(path: string, content: Uint8Array): Promise<void>;
  remove(path: string): Promise<{ files: number }>;
  move(from: string, to: string): Promise<{ files: number }>;
  makeDirectory(path: string): Promise<void>;
  /** Makes all changes or none. */
  changeAll(changes: readonly FileChange[]): Promise<void>;
  /** Whether a file that this call opened is no longer what the session last saw of it. */
  isStale(path: string): boolean;
  /** Whether an entry is what one of our own calls made of it last. */
  isOwnWrite(path: string): Promise<boolean>;
  /** A file at or below a path that changed since the session last saw it. */
  staleIn(path: string): Promise<string | undefined>;
};

/** One of several changes that belong together: a file written, made, removed or moved. */
export type FileChange = {
  readonly path: string;
  /** What was read, and must still be there; undefined where nothing must be. */
  readonly before: Uint8Array | undefined;
  /** What it will hold; undefined where it will be gone. */
  readonly after: Uint8Array | undefined;
  /** Whether it may be run; without it that stays. */
  readonly executable?: boolean | undefined;
} & ({} | { readonly from: string });

/** The search port as an operation sees it: below the paths it declared, and blind to what may not be read there. */
export interface ScopedSearch {
  grep(
    request: Omit<GrepRequest, 'mayRead' | 'signal'>,
    visit: (found: FoundLine) => boolean,
  ): Promise<{ unreadable: number }>;
  files(query: Omit<FileQuery, 'signal'>): Promise<{ paths: string[]; total: number }>;
}

/** The index of the workspace's code as an operation sees it: below the paths it declared, and blind to what may not be read there. */
export interface ScopedCodeIndex {
  find(question: Omit<CodeQuestion, 'signal'>): Promise<CodeAnswer>;
}

/** A command that ran, with what came of it. */
export interface EndedRun extends Omit<CommandResult, 'changes'> {
  readonly outputId?: string;
  readonly effects: CommandEffects;
}

/** The commands port as an operation sees it: what it declared, confined as it was decided. */
export interface ScopedCommands {
  /** What would confine a command. */
  sandbox(): Promise<SandboxReport>;
  run(
    request: Pick<
      CommandRequest,
      'program' | 'args' | 'directory' | 'stdin' | 'terminal' | 'timeoutMs' | 'maxOutputBytes' | 'keep'
    > & {
      /** As people know it. */
      readonly command: string;
    },
  ): Promise<EndedRun>;
  /** Runs a command in a view, and keeps what it changed there for who wants it. */
  preview(request: Parameters<ScopedCommands['run']>[0]): Promise<PreviewedRun>;
  /** What a preview of this session would change. */
  show(id: string): Promise<{ readonly command: string; readonly diff: string }>;
  /** Takes over exactly what a preview changed; runs nothing. */
  apply(id: string): Promise<CommandEffects & { readonly command: string }>;
}

/** A command that ran in a view. */
export interface PreviewedRun extends EndedRun {
  /** Where it changed something: what it is known by, a diff of all of it, and how long it is kept. */
  readonly kept?: { readonly id: string; readonly diff: string; readonly expiresAt: number };
}

/** The documents port as an operation sees it: bytes it could read become text. */
export interface ScopedDocuments {
  read(part: DocumentPart, load: () => Promise<Uint8Array>): Promise<DocumentText>;
}

/** Files that are left to the session, without a question. */
export interface SessionFiles {
  /** Keeps a file in the session's own folder below a folder; says where it is, or why it was not kept. */
  keep(
    folder: string,
    name: string,
    content: Uint8Array,
  ): Promise<{ readonly path?: string; readonly whyNot?: string }>;
}

/** The web as an operation sees it: hosts it declared, and where those lead as far as the policy allows. */
export interface ScopedWeb {
  /** Asks, and says which address it was that answered in the end. */
  ask(request: ScopedWebRequest): Promise<WebAnswer & { readonly url: string }>;
  /** The key in a variable of the environment that the settings name. */
  keyOf(variable: string): string | undefined;
  /** The text of a page of HTML, as Markdown. */
  readable(html: string, url: string): Promise<ReadablePage>;
}

export type ScopedWebRequest = Pick<WebRequest, 'url' | 'maxBytes' | 'body'> &
  Partial<Pick<WebRequest, 'method' | 'headers'>> & {
    /** For all of it together. */
    readonly timeoutMs: number;
    /** Whether redirections are followed; what has a key or a body with it stays where it was sent. */
    readonly isFollowed?: boolean;
  };
/** The git port as an operation sees it: repositories that hold what it declared. */
export interface ScopedGit {
  /** The repository of a declared path. */
  open(path: string): Promise<ScopedRepository>;
}

export interface ScopedRepository extends Pick<
  Repository,
  'path' | 'isLinked' | 'isInside' | 'underWay' | 'hasSubmodules' | 'filters' | 'settings'
> {
  /** What was declared, from the folder of the repository. */
  readonly scope: string;
  /** Whether anybody may know of an entry. */
  mayName(path: string): boolean;
  /** Whether what is in a file may be shown, as far as was granted. */
  mayShow(path: string): boolean;
  /** Runs git where it can change nothing. */
  read(step: GitStep, maxBytes: number): Promise<GitOutput>;
  /** Runs git to change the repository, one step after another; what it changes can be taken back. */
  change(steps: readonly GitStep[], options: GitChange): Promise<GitOutput>;
  /** Whether the policy lets something be done without a question, or a person said yes to it. */
  isAllowed(what: string): boolean;
  /** Whether hooks and filters of the repository are run, in the sandbox. */
  readonly runsPrograms: boolean;
  /** Whether a file is one that is not read without a question, for the secrets it may hold. */
  isSensitive(path: string): boolean;
  /** The lines of a text, counted from 1, that hold what looks like a secret. */
  secretLines(text: string): number[];
  /** The content of a file that may be shown, up to a size; undefined where there is none. */
  readFile(path: string, maxBytes: number): Promise<Buffer | undefined>;
  /** A repository in a folder of this one. */
  openInner(path: string): Promise<ScopedRepository>;
  [Symbol.dispose](): void;
}

export interface GitChange {
  /** As people know it. */
  readonly command: string;
  /** Whether its settings are changed, too. */
  readonly opensConfig?: boolean;
}

export interface GitOutput {
  readonly exitCode: number;
  readonly stdout: Buffer;
  readonly stderr: string;
  /** How much it wrote. */
  readonly bytes: number;
  /** Whether that was more than could be kept. */
  readonly isCut: boolean;
  readonly timedOut: boolean;
}

/** Language servers as an operation sees them: about files it declared, and blind to places in files that may not be read. */
export interface ScopedLanguages {
  diagnostics(path: string): Promise<Answer<DiagnosticReport>>;
  lint(path: string): Promise<Answer<DiagnosticReport>>;
  definition(path: string, position: TextPosition): Promise<Answer<readonly TextPlace[]>>;
  references(path: string, position: TextPosition): Promise<Answer<readonly TextPlace[]>>;
  hover(path: string, position: TextPosition): Promise<Answer<HoverText | undefined>>;
  documentSymbols(path: string): Promise<Answer<readonly CodeSymbol[]>>;
  workspaceSymbols(path: string, query: string): Promise<Answer<readonly CodeSymbol[]>>;
  rename(path: string, position: TextPosition, name: string): Promise<Answer<readonly FileEdit[]>>;
}

/** The background processes as an operation sees them; an id may also be the name that the session chose. */
export interface ScopedProcesses extends Pick<BackgroundProcesses, 'write' | 'resize' | 'forward'> {
  start(
    request: Pick<
      BackgroundRequest,
      'program' | 'args' | 'directory' | 'terminal' | 'command' | 'name' | 'isKept'
    >,
  ): Promise<BackgroundProcess>;
  /** All of the workspace; of those that are not its own the session can do nothing. */
  list(): Promise<readonly (BackgroundProcess & { readonly isOwn: boolean })[]>;
  find(id: string): Promise<BackgroundProcess>;
  read(id: string, position: number | undefined, maxBytes: number): Promise<ProcessOutput>;
  wait(id: string, what: WaitFor, timeoutMs: number): Promise<Waited>;
  /** As it is afterwards. */
  stop(id: string): Promise<BackgroundProcess>;
}

/** The user as an operation sees them. */
export interface ScopedPeople {
  /** Shows them something, and says whether anybody was there to see it. Never fails. */
  display(message: DisplayMessage): Promise<boolean>;
  /** Asks them, and waits; an answer that they do not want to give is a failure. */
  ask<Kind extends Asked['kind']>(asked: Extract<Asked, { kind: Kind }>): Promise<GivenAnswer<Kind>>;
}

/** An answer that was given, and fits its question. */
export type GivenAnswer<Kind> = Extract<UserAnswer, { kind: Kind }>;

/** Output of this session that did not fit into a reply. */
export interface OutputPages {
  page(id: string, offset: number, limit: number): Promise<OutputPage>;
}

/** A part of kept output: items of a list, or characters of a text; of one that is very large, bytes. */
export interface OutputPage {
  readonly part: readonly unknown[] | string;
  readonly total: number;
  /** Where the next page starts, of one that is counted in bytes. */
  readonly next?: number;
}
