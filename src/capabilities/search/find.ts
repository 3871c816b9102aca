/** `search.find`: files whose name or content holds a text, the nearest ones first. */
import { z } from 'zod';
import { defineOperation } from '../../runtime/operation.ts';
import { workspacePathSchema } from '../fs/workspace-path-schema.ts';
import { refuseUnsearchable } from './unsearchable.ts';

export const searchFind = defineOperation({
  name: 'search.find',
  summary: 'Finds files by a text in their name or content, level by level.',
  input: z.strictObject({
    path: workspacePathSchema,
    query: z.string(),
    skip: z.array(z.string()).describe('Names that are not entered'),
    maxDepth: z.int().min(1),
    maxFileBytes: z.int().min(1).describe('The content of larger files is not looked at'),
    limit: z.int().min(1),
  }),
  output: z.strictObject({
    path: workspacePathSchema,
    query: z.string(),
    results: z.array(workspacePathSchema),
    hasMore: z.boolean(),
  }),
  permissions: ['fs.read'],
  effect: 'read',
  access: ({ path }) => [{ permission: 'fs.read', resource: path }],
  async run({ path, query, skip, maxDepth, maxFileBytes, limit }, { search }) {
    refuseUnsearchable(query);
    const scope = { path, skip, maxDepth };
    const found = new Set<string>();
    const named = (file: string): boolean => file.slice(file.lastIndexOf('/') + 1).includes(query);
    for (const file of (await search.files({ ...scope, matches: named, limit: MOST })).paths) found.add(file);
    await search.grep(
      {
        ...scope,
        maxFileBytes,
        pattern: query,
        isLiteral: true,
        ignoreCase: false,
        isMultiline: query.includes('\n'),
        names: [],
        context: 0,
        maxPerFile: 1,
        maxLineCharacters: 1_000,
        inOrder: false,
      },
      (line) => found.add(line.path).size < MOST,
    );
    const nearestFirst = [...found].sort(byDepth);
    return { path, query, results: nearestFirst.slice(0, limit), hasMore: found.size > limit };
  },
});

/** So many are looked at for the nearest ones. */
const MOST = 10_000;

function byDepth(one: string, other: string): number {
  const depths = one.split('/').length - other.split('/').length;
  return depths !== 0 ? depths : one < other ? -1 : 1;
}
