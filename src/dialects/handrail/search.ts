/** The search tools of `handrail`: `coder`'s with more ways to narrow a search. */
import { z } from 'zod';
import { searchCode } from '../../capabilities/search/code.ts';
import { searchGlob } from '../../capabilities/search/glob.ts';
import { searchGrep } from '../../capabilities/search/grep.ts';
import { globReturns, grepReturns, matchLimit, MAX_PATHS, renderGlob, renderGrep } from '../coder/search.ts';
import { cutFields, cutShape } from '../coder/cut-output.ts';
import { defineTool } from '../dialect.ts';

const path = z.string().optional().describe('The workspace by default');

export const glob = defineTool({
  name: 'glob',
  version: '1.0.0',
  description: 'Find files by a path pattern such as src/**/*.{ts,tsx}. What .gitignore names is left out.',
  args: z.strictObject({ pattern: z.string().describe('Relative to path'), path }),
  returns: globReturns,
  operation: searchGlob,
  toInput: (args, workspace) => ({
    path: workspace.path(args.path || '.'),
    pattern: args.pattern,
    skip: [],
    limit: MAX_PATHS,
  }),
  render: renderGlob,
});

export const grep = defineTool({
  name: 'grep',
  version: '1.0.0',
  description:
    'Find lines by a regular expression (no look-around), in a file or below a directory. Binary files and what .gitignore names are left out. Stops at max_matches (200 by default); to page, give offset, 0 first.',
  args: z.strictObject({
    pattern: z.string().min(1),
    path,
    glob: z.string().optional().describe('Only files like this, e.g. *.ts'),
    ignore_case: z.boolean().optional(),
    literal: z.boolean().optional().describe('The pattern is plain text'),
    multiline: z.boolean().optional().describe('A match may span lines; files over 64 MB are left out'),
    context: z.int().min(0).max(50).optional().describe('Lines around each match'),
    max_matches: z.int().optional(),
    offset: z.int().min(0).optional(),
  }),
  returns: grepReturns,
  operation: searchGrep,
  toInput: (args, workspace) => ({
    path: workspace.path(args.path || '.'),
    pattern: args.pattern,
    isLiteral: args.literal ?? false,
    ignoreCase: args.ignore_case ?? false,
    isMultiline: args.multiline ?? false,
    only: args.glob === undefined ? [] : [args.glob],
    skip: [],
    context: args.context ?? 0,
    maxMatches: matchLimit(args.max_matches),
    offset: args.offset,
    maxLineCharacters: 500,
  }),
  render: renderGrep,
});

export const codeSearch = defineTool({
  name: 'code_search',
  version: '1.0.0',
  description: 'Find code by a question or names, best first; use grep for exact text.',
  args: z.strictObject({
    query: z.string().min(1),
    paths: z.array(z.string()).max(20).optional().describe('Where to look'),
    max_results: z.int().min(1).max(50).optional().describe('10 by default'),
  }),
  returns: z.object({
    ok: z.literal(true),
    engine: z.enum(['index', 'index+embeddings', 'grep']),
    results: z.array(
      z.object({
        path: z.string(),
        start_line: z.int(),
        end_line: z.int(),
        score: z.number(),
        symbol: z.string().optional(),
        text: z.string(),
      }),
    ),
    note: z.string().optional(),
    ...cutShape,
  }),
  operation: searchCode,
  toInput: ({ query, paths = [], max_results: limit = 10 }, workspace) => ({
    query,
    paths: paths.length === 0 ? ['.'] : paths.map((path) => workspace.path(path || '.')),
    limit,
  }),
  render: ({ way, parts, note }, { truncation }) => ({
    ok: true,
    engine: way,
    results: parts.map(({ path, startLine, endLine, ...part }) => ({
      path,
      start_line: startLine,
      end_line: endLine,
      ...part,
    })),
    ...(note === undefined ? {} : { note }),
    ...cutFields(truncation),
  }),
});
