/** The search tools of `coder`. */
import { z } from 'zod';
import { searchGlob } from '../../capabilities/search/glob.ts';
import { searchGrep } from '../../capabilities/search/grep.ts';
import { defineTool } from '../dialect.ts';
import { cutFields, cutShape } from './cut-output.ts';

/** More paths than anyone reads; how many there are is always said. */
export const MAX_PATHS = 5_000;
const MAX_MATCHES = 200;

export const globReturns = z.object({
  ok: z.literal(true),
  matches: z.array(z.string()).describe('Relative to the workspace, sorted'),
  ...cutShape,
});

export const glob = defineTool({
  name: 'glob',
  version: '1.0.0',
  description: 'Find files by a path pattern such as src/**/*.ts. What .gitignore names is left out.',
  args: z.strictObject({ pattern: z.string().describe('Relative to the workspace') }),
  returns: globReturns,
  operation: searchGlob,
  toInput: ({ pattern }) => ({ path: '.', pattern, skip: [], limit: MAX_PATHS }),
  render: renderGlob,
});

/** Also for dialects that take more arguments. */
export function renderGlob(
  { matches, total }: z.infer<typeof searchGlob.output>,
  { truncation }: { truncation: Parameters<typeof cutFields>[0] },
): z.infer<typeof globReturns> {
  const isCut = matches.length < total;
  return { ok: true, matches, ...(isCut ? { truncated: true, total } : {}), ...cutFields(truncation) };
}

export const grepReturns = z.object({
  ok: z.literal(true),
  count: z.int(),
  matches: z.array(
    z.object({
      path: z.string().describe('Relative to the workspace'),
      line: z.int().describe('Counted from 1'),
      text: z.string(),
      context: z.literal(true).optional().describe('Not a match itself'),
    }),
  ),
  ...cutShape,
  unreadable: z.int().optional().describe('Places that could not be read'),
});

export const grep = defineTool({
  name: 'grep',
  version: '1.0.0',
  description: `Find lines by a regular expression, in a file or below a directory. Stops after max_matches (${MAX_MATCHES} by default). Binary files and what .gitignore names are left out.`,
  args: z.strictObject({
    pattern: z.string().min(1),
    path: z.string().optional().describe('The workspace by default'),
    max_matches: z.int().optional(),
  }),
  returns: grepReturns,
  operation: searchGrep,
  toInput: (args, workspace) => ({
    path: workspace.path(args.path || '.'),
    pattern: args.pattern,
    isLiteral: false,
    ignoreCase: false,
    isMultiline: false,
    only: [],
    skip: [],
    context: 0,
    maxMatches: matchLimit(args.max_matches),
    maxLineCharacters: 500,
  }),
  render: renderGrep,
});

/** How many matches a caller gets. */
export function matchLimit(asked: number | undefined): number {
  return asked !== undefined && asked > 0 ? Math.min(asked, 10_000) : MAX_MATCHES;
}

/** Also for dialects that take more arguments. */
export function renderGrep(
  { lines, count, hasMore, unreadable }: z.infer<typeof searchGrep.output>,
  { truncation }: { truncation: Parameters<typeof cutFields>[0] },
): z.infer<typeof grepReturns> {
  return {
    ok: true,
    count,
    matches: lines.map(({ path, line, text, isContext }) => ({
      path,
      line,
      text,
      ...(isContext ? { context: true as const } : {}),
    })),
    ...(hasMore ? { truncated: true as const } : {}),
    ...cutFields(truncation),
    ...(unreadable === 0 ? {} : { unreadable }),
  };
}
