/** What the tables of conformance are made of: one case a dialect, and none forgotten. */
import type { Runtime, RuntimeOptions } from '../../src/index.ts';
import type { TempWorkspace } from '../support/temp-workspace.ts';

export const DIALECTS = ['handrail', 'coder', 'tenas', 'clude', 'codelab'] as const;
export type DialectName = (typeof DIALECTS)[number];

export const NOT_PRESENTED = 'not presented';

export interface Case {
  readonly tool: string;
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** What the runtime is opened with, where the usual does not do. */
  readonly settings?: (workspace: TempWorkspace) => Promise<Partial<RuntimeOptions>>;
  readonly args: object | ((runtime: Runtime) => Promise<object>);
  /** The whole reply; `root` is the workspace's. The call's id is `c1`. */
  readonly reply: (root: string) => unknown;
  /** Files afterwards; null where nothing is. */
  readonly after?: Readonly<Record<string, string | null>>;
}

/** An operation through every dialect, a case a tool; a dialect that is forgotten does not compile. */
export type Table = Readonly<Record<DialectName, Case | readonly Case[] | typeof NOT_PRESENTED>>;
