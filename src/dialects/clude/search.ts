/** The search tools of `clude`. */
import { z } from 'zod';
import { searchCode } from '../../capabilities/search/code.ts';
import { searchGlob } from '../../capabilities/search/glob.ts';
import { searchGrep } from '../../capabilities/search/grep.ts';
import { defineTool } from '../dialect.ts';

const NOISE = ['node_modules', '__pycache__', '.venv', '.clude'];
const MAX_PATHS = 5_000;
const DEFAULT_HITS = 200;
const PREVIEW_CHARACTERS = 300;
const CODE_RESULTS = 10;

export const globFileSearch = defineTool({
  name: 'glob_file_search',
  version: '1.0.0',
  description: 'Find files by a path pattern such as **/*.py, in the workspace or below target_directory.',
  args: z.strictObject({
    glob_pattern: z.string().describe('Relative to target_directory'),
    target_directory: z.string().optional().describe('The workspace by default'),
  }),
  returns: z.object({
    pattern: z.string(),
    matches: z.array(z.string()).describe('Relative to the workspace, sorted'),
    truncated: z.literal(true).optional(),
    total: z.int().optional(),
  }),
  operation: searchGlob,
  toInput: (args, workspace) => ({
    path: workspace.path(args.target_directory || '.'),
    pattern: args.glob_pattern,
    skip: NOISE,
    limit: MAX_PATHS,
  }),
  render: ({ pattern, matches, total }) => ({
    pattern,
    matches,
    ...(matches.length < total ? { truncated: true, total } : {}),
  }),
});

export const grep = defineTool({
  name: 'grep',
  version: '1.0.0',
  description: `Find lines by a regular expression. Stops after head_limit hits (${DEFAULT_HITS} by default).`,
  args: z.strictObject({
    pattern: z.string().min(1),
    path: z.string().optional().describe('A file or directory; the workspace by default'),
    glob: z.string().optional().describe('Only files like this'),
    multiline: z.boolean().optional().describe('A match may span lines'),
    head_limit: z.int().min(1).max(10_000).optional(),
    '-i': z.boolean().optional().describe('Ignore case'),
  }),
  returns: z.object({
    engine: z.literal('ripgrep'),
    hits: z.array(z.object({ path: z.string(), line: z.int(), preview: z.string() })),
    truncated: z.boolean(),
  }),
  operation: searchGrep,
  toInput: (args, workspace) => ({
    path: workspace.path(args.path || '.'),
    pattern: args.pattern,
    isLiteral: false,
    ignoreCase: args['-i'] ?? false,
    isMultiline: args.multiline ?? false,
    only: args.glob === undefined ? [] : [args.glob],
    skip: NOISE,
    context: 0,
    maxMatches: args.head_limit ?? DEFAULT_HITS,
    maxLineCharacters: PREVIEW_CHARACTERS - ' [line cut here]'.length,
  }),
  render: ({ lines, hasMore }, { truncation }) => ({
    engine: 'ripgrep',
    hits: lines.map(({ path, line, text }) => ({ path, line, preview: text })),
    truncated: hasMore || truncation !== undefined,
  }),
});

export const codebaseSearch = defineTool({
  name: 'codebase_search',
  version: '1.0.0',
  description:
    'Find code by a question in words, best parts first; says whether it ranked by the index, by embeddings too, or by grep.',
  args: z.strictObject({
    query: z.string().min(1).describe('What the code does, or what it is called'),
    target_directories: z.array(z.string()).max(20).describe('Where to look; empty for the workspace'),
  }),
  returns: z.object({
    engine: z.enum(['index', 'index+embeddings', 'grep']),
    results: z.array(
      z.object({
        path: z.string(),
        start_line: z.int(),
        end_line: z.int(),
        score: z.number(),
        symbol: z.string().optional(),
        snippet: z.string(),
      }),
    ),
    note: z.string().optional(),
  }),
  operation: searchCode,
  toInput: ({ query, target_directories: directories }, workspace) => ({
    query,
    paths: directories.length === 0 ? ['.'] : directories.map((path) => workspace.path(path || '.')),
    limit: CODE_RESULTS,
  }),
  render: ({ way, parts, note }) => ({
    engine: way,
    results: parts.map(({ path, startLine, endLine, score, symbol, text }) => ({
      path,
      start_line: startLine,
      end_line: endLine,
      score,
      ...(symbol === undefined ? {} : { symbol }),
      snippet: text,
    })),
    ...(note === undefined ? {} : { note }),
  }),
});
