/** The tables of the search operations. */
import { expect } from 'vitest';
import { searchSettings } from '../support/search-settings.ts';
import { cludeResult, codelabResult, tenasData } from './replies.ts';
import { type Case, NOT_PRESENTED, type Table } from './table.ts';

const searched = {
  '.gitignore': 'built\n',
  'a.txt': 'none\nTODO one\n',
  'd/todo.md': 'todo two\r\n',
  'd/e/b.txt': 'TODO three',
  'built/c.txt': 'TODO built\n',
};

const searchFind: Table = {
  handrail: NOT_PRESENTED,
  coder: NOT_PRESENTED,
  tenas: {
    tool: 'file-search',
    files: searched,
    args: { query: 'todo' },
    reply: () => tenasData({ query: 'todo', root: '.', results: ['d/todo.md'] }),
  },
  clude: NOT_PRESENTED,
  codelab: NOT_PRESENTED,
};

const glob: Case = {
  tool: 'glob',
  files: searched,
  args: { pattern: '**/*.txt' },
  reply: () => ({ ok: true, matches: ['a.txt', 'd/e/b.txt'] }),
};

const searchGlob: Table = {
  handrail: {
    ...glob,
    args: { pattern: '**/*.txt', path: 'd' },
    reply: () => ({ ok: true, matches: ['d/e/b.txt'] }),
  },
  coder: glob,
  tenas: NOT_PRESENTED,
  clude: {
    tool: 'glob_file_search',
    files: searched,
    args: { glob_pattern: '*/b.*', target_directory: 'd' },
    reply: () => cludeResult({ pattern: '*/b.*', matches: ['d/e/b.txt'] }),
  },
  codelab: NOT_PRESENTED,
};

const grep: Case = {
  tool: 'grep',
  files: searched,
  args: { pattern: 'TODO \\w+' },
  reply: () => ({
    ok: true,
    count: 2,
    matches: [
      { path: 'a.txt', line: 2, text: 'TODO one' },
      { path: 'd/e/b.txt', line: 1, text: 'TODO three' },
    ],
  }),
};

const searchGrep: Table = {
  handrail: {
    ...grep,
    args: { pattern: 'todo', ignore_case: true, glob: '*.md' },
    reply: () => ({ ok: true, count: 1, matches: [{ path: 'd/todo.md', line: 1, text: 'todo two' }] }),
  },
  coder: grep,
  tenas: NOT_PRESENTED,
  clude: {
    tool: 'grep',
    files: searched,
    args: { pattern: 'todo', path: 'd', '-i': true },
    reply: () =>
      cludeResult({
        engine: 'ripgrep',
        hits: [
          { path: 'd/e/b.txt', line: 1, preview: 'TODO three' },
          { path: 'd/todo.md', line: 1, preview: 'todo two' },
        ],
        truncated: false,
      }),
  },
  codelab: {
    tool: 'search_in_project',
    files: searched,
    args: { query: 'TODO t', case_sensitive: true },
    reply: () =>
      codelabResult({
        matches: [{ path: 'd/e/b.txt', line: 1, text: 'TODO three' }],
        total: 1,
        truncated: false,
      }),
  },
};

const asked = {
  '.gitignore': 'built\n',
  'd/parse.ts': 'export function parseRequest(text: string): Request {\n  return read(text);\n}\n',
  'built/parse.ts': 'export function parseRequest() {}\n',
  'other.md': 'nothing\n',
};
const answered = {
  path: 'd/parse.ts',
  start_line: 1,
  end_line: 3,
  score: expect.any(Number) as number,
  symbol: 'parseRequest',
};

const searchCode: Table = {
  handrail: {
    tool: 'code_search',
    files: asked,
    settings: async (workspace) => searchSettings(workspace),
    args: { query: 'parse_request' },
    reply: () => ({
      ok: true,
      engine: 'index',
      results: [{ ...answered, text: asked['d/parse.ts'].trimEnd() }],
    }),
  },
  coder: NOT_PRESENTED,
  tenas: NOT_PRESENTED,
  clude: {
    tool: 'codebase_search',
    files: asked,
    settings: async (workspace) => searchSettings(workspace),
    args: { query: 'parseRequest', target_directories: ['d'] },
    reply: () =>
      cludeResult({ engine: 'index', results: [{ ...answered, snippet: asked['d/parse.ts'].trimEnd() }] }),
  },
  codelab: NOT_PRESENTED,
};

export const searchTables: Readonly<Record<string, Table>> = {
  'search.code': searchCode,
  'search.find': searchFind,
  'search.glob': searchGlob,
  'search.grep': searchGrep,
};
