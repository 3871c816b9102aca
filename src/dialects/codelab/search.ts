/** Finding things in `codelab`: a tree of files, and lines by their content. */
import { z } from 'zod';
import { fsList } from '../../capabilities/fs/list.ts';
import { searchGrep } from '../../capabilities/search/grep.ts';
import { defineTool } from '../dialect.ts';

const path = z.string().optional().describe('The workspace by default');
const MAX_ITEMS = 10_000;
const DEFAULT_RESULTS = 100;
const MAX_RESULTS = 1_000;

export const listFiles = defineTool({
  name: 'list_files',
  version: '1.0.0',
  description: 'List files and directories of one level or, with recursive, of the whole tree.',
  args: z.strictObject({
    path,
    recursive: z.boolean().optional(),
    pattern: z.string().optional().describe('Only entries like this, e.g. *.dart'),
    include_hidden: z.boolean().optional(),
  }),
  returns: z.object({
    items: z.array(
      z.object({
        name: z.string(),
        path: z.string(),
        type: z.enum(['file', 'directory']),
        size: z.int(),
        modified: z.string().describe('ISO 8601'),
      }),
    ),
    total_count: z.int().describe('At least this many, where truncated'),
    truncated: z.literal(true).optional(),
  }),
  operation: fsList,
  toInput: (args, workspace) => ({
    path: workspace.path(args.path || '.'),
    isRecursive: args.recursive ?? false,
    pattern: args.pattern,
    ignore: args.recursive === true ? ['.git', 'node_modules'] : [],
    includeHidden: args.include_hidden ?? false,
    maxEntries: MAX_ITEMS,
  }),
  render: ({ entries, hasMore }, { truncation }) => ({
    items: entries.map((entry) => ({
      name: entry.name,
      path: entry.path,
      type: entry.isDirectory ? 'directory' : 'file',
      size: entry.bytes,
      modified: new Date(entry.modifiedMs).toISOString(),
    })),
    total_count: truncation?.total ?? entries.length,
    ...(hasMore || truncation !== undefined ? { truncated: true } : {}),
  }),
});

export const searchInProject = defineTool({
  name: 'search_in_project',
  version: '1.0.0',
  description: `Find lines that hold a text. At most ${DEFAULT_RESULTS} by default; what .gitignore names is left out.`,
  args: z.strictObject({
    query: z.string().min(1),
    path,
    case_sensitive: z.boolean().optional().describe('false by default'),
    regex: z.boolean().optional().describe('The query is a regular expression'),
    file_pattern: z.string().optional().describe('Only files like this'),
    max_results: z.int().min(1).max(MAX_RESULTS).optional(),
  }),
  returns: z.object({
    matches: z.array(z.object({ path: z.string(), line: z.int(), text: z.string() })),
    total: z.int().describe('How many were found before the search ended'),
    truncated: z.boolean(),
  }),
  operation: searchGrep,
  toInput: (args, workspace) => ({
    path: workspace.path(args.path || '.'),
    pattern: args.query,
    isLiteral: !(args.regex ?? false),
    ignoreCase: !(args.case_sensitive ?? false),
    isMultiline: false,
    only: args.file_pattern === undefined ? [] : [args.file_pattern],
    skip: [],
    context: 0,
    maxMatches: args.max_results ?? DEFAULT_RESULTS,
    maxLineCharacters: 500,
  }),
  render: ({ lines, count, hasMore }, { truncation }) => ({
    matches: lines.map(({ path, line, text }) => ({ path, line, text })),
    total: count,
    truncated: hasMore || truncation !== undefined,
  }),
});
