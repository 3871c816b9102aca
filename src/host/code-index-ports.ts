/** What the engine may ask of the index of a workspace's code. */
import type { FileNotice } from './language-ports.ts';

/** A question in words, about what lies at or below some resolved paths. */
export interface CodeQuestion {
  readonly question: string;
  /** `.` for everything. */
  readonly paths: readonly string[];
  /** How many parts are wanted. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

/** Some lines of a file that answer a question, the best of the part they stand in. */
export interface CodePart {
  readonly path: string;
  /** Counted from 1, the last one included. */
  readonly startLine: number;
  readonly endLine: number;
  readonly text: string;
  /** Of all that an answer holds the best has the largest. */
  readonly score: number;
  /** What is defined there, or what it stands in. */
  readonly symbol?: string;
}

export type CodeAnswer =
  | {
      readonly status: 'ready';
      readonly way: 'index' | 'index+embeddings';
      readonly parts: readonly CodePart[];
      /** What whoever reads it should know. */
      readonly note?: string;
    }
  | {
      /** It is being built, or can't be used. */
      readonly status: 'unavailable';
      readonly note: string;
    };

/** An index of the files and definitions of one workspace; it starts to be built when it is first asked. */
export interface CodeIndex extends AsyncDisposable {
  find(question: CodeQuestion): Promise<CodeAnswer>;
  /** Builds it before anyone asks. */
  start(): void;
  /** Tells it what was changed; it would notice by itself, but later. */
  noticed(changes: readonly FileNotice[]): void;
}
