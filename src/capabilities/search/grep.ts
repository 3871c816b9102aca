/** `search.grep`: lines of files that fit a pattern. */
import { z } from 'zod';
import { defineOperation } from '../../runtime/operation.ts';
import { workspacePathSchema } from '../fs/workspace-path-schema.ts';
import { fileFilter } from './file-filter.ts';
import { refuseUnsearchable } from './unsearchable.ts';

const line = z.strictObject({
  path: workspacePathSchema,
  line: z.int().describe('Counted from 1'),
  text: z.string(),
  isContext: z.boolean().describe('Only surrounds a match'),
});

export const searchGrep = defineOperation({
  name: 'search.grep',
  summary:
    'Finds lines by a regular expression or a plain text; binary files and what .gitignore names are left out.',
  input: z.strictObject({
    path: workspacePathSchema.describe('A directory, or one file'),
    pattern: z.string(),
    isLiteral: z.boolean(),
    ignoreCase: z.boolean(),
    isMultiline: z.boolean(),
    only: z.array(z.string()).describe('Only files like these'),
    skip: z.array(z.string()).describe('Names that are not entered'),
    context: z.int().min(0).max(50),
    maxPerFile: z.int().min(1).optional(),
    maxMatches: z.int().min(1).describe('The search stops there'),
    offset: z
      .int()
      .min(0)
      .optional()
      .describe('How many matches to pass over; where it is given, files come in the order of their names'),
    maxLineCharacters: z.int().min(1).describe('Longer lines are cut'),
  }),
  output: z.strictObject({
    path: workspacePathSchema,
    lines: z.array(line),
    count: z.int().describe('How many of the lines are matches'),
    hasMore: z.boolean().describe('Whether the search stopped before the end'),
    unreadable: z.int().describe('How many places could not be read'),
  }),
  permissions: ['fs.read'],
  effect: 'read',
  access: ({ path }) => [{ permission: 'fs.read', resource: path }],
  async run({ path, offset, maxMatches, only, ...request }, { search }) {
    refuseUnsearchable(request.pattern);
    const filter = fileFilter(path, only);
    const inOrder = offset !== undefined;
    const passedOver = offset ?? 0;
    const found: Line[] = [];
    let matches = 0;
    let last: Line | undefined;
    let room = MAX_CHARACTERS;
    const { unreadable } = await search.grep({ ...request, path, names: filter.names, inOrder }, (line) => {
      if (!filter.fits(line.path)) return true;
      const isOfLastMatch = request.isMultiline && follows(line, last);
      if (!line.isContext) last = line;
      if (!line.isContext && !isOfLastMatch) matches++;
      room -= line.text.length + line.path.length;
      if (matches > passedOver + maxMatches || room < 0) return false;
      // What surrounds the first match comes before it.
      if (matches > passedOver || (matches === passedOver && line.isContext)) found.push(line);
      return true;
    });
    const hasMore = matches > passedOver + maxMatches || room < 0;
    const count = Math.min(Math.max(matches - passedOver, 0), maxMatches);
    const lines = aroundMatches(found, request.context);
    return { path, lines: inOrder ? lines : lines.sort(byPlace), count, hasMore, unreadable };
  },
});

type Line = z.infer<typeof line>;

/** What is found is kept in memory until it is shown: so much, and no more. */
const MAX_CHARACTERS = 8_000_000;

/** A match over several lines comes line by line. */
function follows(next: Line, last: Line | undefined): boolean {
  return !next.isContext && last?.path === next.path && last.line === next.line - 1;
}

/** Leaves out what surrounds matches that were passed over, or came too late. */
function aroundMatches(found: readonly Line[], context: number): Line[] {
  const matches = new Set(
    found.filter(({ isContext }) => !isContext).map(({ path, line }) => `${line} ${path}`),
  );
  const isNear = ({ path, line }: Line): boolean => {
    for (let away = 1; away <= context; away++)
      if (matches.has(`${line - away} ${path}`) || matches.has(`${line + away} ${path}`)) return true;
    return false;
  };
  return found.filter((one) => !one.isContext || isNear(one));
}

function byPlace(one: Line, other: Line): number {
  if (one.path !== other.path) return one.path < other.path ? -1 : 1;
  return one.line - other.line;
}
