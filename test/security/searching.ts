/** Every tool that searches a tree, and whether what it says about the tree is true. */
import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import type { TempWorkspace } from '../support/temp-workspace.ts';
import type { Answer, ToolCall } from './surfaces.ts';

export interface SearchTool {
  /** Lines that hold a term, or the names of files. */
  readonly shows: 'lines' | 'names';
  /** Looks for a plain term below a path. */
  readonly search: (term: string, path?: string) => ToolCall;
}

export const SEARCHES: readonly SearchTool[] = [
  ...[
    (pattern: string, path = '.') => ({ dialect: 'coder', tool: 'grep', args: { pattern, path } }),
    (pattern: string, path = '.') => ({ dialect: 'handrail', tool: 'grep', args: { pattern, path } }),
    (pattern: string, path = '.') => ({
      dialect: 'handrail',
      tool: 'grep',
      args: { pattern, path, context: 3, offset: 0, multiline: true },
    }),
    (pattern: string, path = '.') => ({ dialect: 'clude', tool: 'grep', args: { pattern, path } }),
    (query: string, path = '.') => ({ dialect: 'codelab', tool: 'search_in_project', args: { query, path } }),
  ].map((search) => ({ shows: 'lines' as const, search })),
  ...[
    (_term: string, path = '.') => ({
      dialect: 'coder',
      tool: 'glob',
      args: { pattern: path === '.' ? '**' : `${path}/**` },
    }),
    (_term: string, path = '.') => ({ dialect: 'handrail', tool: 'glob', args: { pattern: '**', path } }),
    (_term: string, path = '.') => ({
      dialect: 'clude',
      tool: 'glob_file_search',
      args: { glob_pattern: '**', target_directory: path },
    }),
    (_term: string, path = '.') => ({
      dialect: 'codelab',
      tool: 'list_files',
      args: { path, recursive: true, include_hidden: true },
    }),
    (query: string, path = '.') => ({ dialect: 'tenas', tool: 'file-search', args: { query, path } }),
  ].map((search) => ({ shows: 'names' as const, search })),
];

interface ShownLine {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

interface Payload {
  readonly lines?: readonly ShownLine[];
  readonly matches?: readonly string[];
  readonly results?: readonly string[];
  readonly entries?: readonly { readonly path: string }[];
}

/** What an answer of the library holds, before a dialect gives it a shape. */
function payloadOf({ text }: Answer): Payload {
  const { payload } = JSON.parse(text.split('\n').at(-1)!) as { payload: Payload | null };
  return payload ?? {};
}

/** The lines that an answer shows. */
export function shownLines(answer: Answer): readonly ShownLine[] {
  return payloadOf(answer).lines ?? [];
}

/** Every path that an answer names, each once. */
export function shownPaths(answer: Answer): string[] {
  const { lines = [], matches = [], results = [], entries = [] } = payloadOf(answer);
  const paths = [
    ...lines.map(({ path }) => path),
    ...matches,
    ...results,
    ...entries.map(({ path }) => path),
  ];
  return [...new Set(paths)];
}

/** Whether each path leads to a place inside without passing a link, and each line is in its file where it is said to be. */
export function expectTrue({ root }: TempWorkspace, answer: Answer): void {
  for (const path of shownPaths(answer)) {
    const full = `${root}/${path}`;
    expect({ path, parent: realpathSync(dirname(full)) }).toEqual({ path, parent: dirname(full) });
    expect(lstatSync(full, { throwIfNoEntry: false })).toBeDefined();
  }
  const files = new Map<string, string[]>();
  for (const { path, line, text } of shownLines(answer)) {
    const lines = files.get(path) ?? readFileSync(join(root, path), 'utf8').split('\n');
    files.set(path, lines);
    const shown = text.replace(/ \[line cut here\]$/, '');
    // A mark of byte order belongs to the file, not to its first line.
    const said = (lines[line - 1] ?? '').replace(/^\ufeff/, '').slice(0, shown.length);
    expect({ path, line, shown }).toEqual({ path, line, shown: said });
  }
}
