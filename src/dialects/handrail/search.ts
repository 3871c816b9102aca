/** The search tools of `handrail`: `coder`'s with more ways to narrow a search. */
import { z } from 'zod';
import { searchGlob } from '../../capabilities/search/glob.ts';
import { searchGrep } from '../../capabilities/search/grep.ts';
import { globReturns, grepReturns, matchLimit, MAX_PATHS, renderGlob, renderGrep } from '../coder/search.ts';
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
