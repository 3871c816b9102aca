/** `search.glob`: files whose paths fit a pattern. */
import { z } from 'zod';
import { Failure } from '../../failure.ts';
import { defineOperation } from '../../runtime/operation.ts';
import { workspacePathSchema } from '../fs/workspace-path-schema.ts';
import { compileGlob, literalBase } from '../glob-pattern.ts';
import { workspaceGlob } from './workspace-glob.ts';

export const searchGlob = defineOperation({
  name: 'search.glob',
  summary: 'Finds files by a path pattern; what .gitignore names is left out.',
  input: z.strictObject({
    path: workspacePathSchema.describe('The directory the pattern is relative to'),
    pattern: z.string(),
    skip: z.array(z.string()).describe('Names that are not entered'),
    limit: z.int().min(1).describe('The most files that are returned'),
  }),
  output: z.strictObject({
    pattern: z.string(),
    matches: z.array(workspacePathSchema).describe('Sorted'),
    total: z.int().describe('How many there are'),
  }),
  permissions: ['fs.read'],
  effect: 'read',
  access: (input) => [{ permission: 'fs.read', resource: baseOf(input) }],
  async run({ path, pattern, skip, limit }, { search }) {
    const fits = compileGlob(path === '.' ? pattern : `${path}/${pattern}`);
    const found = await search
      .files({ path: baseOf({ path, pattern }), matches: fits, skip, limit, includeIgnored: false })
      .catch(nothingThere);
    return { pattern, matches: found.paths, total: found.total };
  },
});

function baseOf({ path, pattern }: { path: string; pattern: string }): string {
  const base = literalBase(workspaceGlob(pattern).replaceAll(/(^|\/)(\.?\/)+/g, '$1'));
  if (base === '.') return path;
  return path === '.' ? base : `${path}/${base}`;
}

/** A pattern below a directory that does not exist fits nothing. */
function nothingThere(error: unknown): { paths: string[]; total: number } {
  if (error instanceof Failure && (error.code === 'E_NOT_FOUND' || error.code === 'E_NOT_DIR'))
    return { paths: [], total: 0 };
  throw error;
}
