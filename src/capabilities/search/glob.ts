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
    const base = baseOf({ path, pattern });
    const query = { path: base, matches: fits, skip, limit };
    const found = await search.files(query).catch((error: unknown) => {
      // A pattern that starts with a directory that does not exist fits nothing.
      if (base !== path && error instanceof Failure && ABSENT.has(error.code)) return { paths: [], total: 0 };
      throw error;
    });
    return { pattern, matches: found.paths, total: found.total };
  },
});

function baseOf({ path, pattern }: { path: string; pattern: string }): string {
  const base = literalBase(workspaceGlob(pattern).replaceAll(/(^|\/)(\.?\/)+/g, '$1'));
  if (base === '.') return path;
  return path === '.' ? base : `${path}/${base}`;
}

const ABSENT: ReadonlySet<string> = new Set(['E_NOT_FOUND', 'E_NOT_DIR']);
