/** `fs.delete`: a file, a link itself, or a directory with all it holds. */
import { z } from 'zod';
import { defineOperation } from '../../runtime/operation.ts';
import { workspacePathSchema } from './workspace-path-schema.ts';

export const fsDelete = defineOperation({
  name: 'fs.delete',
  summary: 'Deletes a file, a link, or a directory with all it holds.',
  input: z.strictObject({ path: workspacePathSchema }),
  output: z.strictObject({
    path: workspacePathSchema,
    files: z.int().describe('How many files were deleted'),
  }),
  permissions: ['fs.delete'],
  effect: 'delete',
  access: ({ path }) => [{ permission: 'fs.delete', resource: path }],
  async preview({ path }, { files }) {
    const count = await files.count(path);
    return { kind: 'text', text: `Deletes ${path}: ${count} ${count === 1 ? 'file' : 'files'}.` };
  },
  async run({ path }, { files }) {
    return { path, ...(await files.remove(path)) };
  },
});
