/** `fs.delete`: a file, a link itself, or a directory with all it holds. */
import { z } from 'zod';
import { Failure } from '../../failure.ts';
import { defineOperation, type OperationContext } from '../../runtime/operation.ts';
import { refuseStaleTree } from './stale.ts';
import { workspacePathSchema } from './workspace-path-schema.ts';

const input = z.strictObject({
  path: workspacePathSchema,
  filesOnly: z.boolean().describe('Whether a directory is refused'),
});

export const fsDelete = defineOperation({
  name: 'fs.delete',
  summary: 'Deletes a file, a link, or a directory with all it holds.',
  input,
  output: z.strictObject({
    path: workspacePathSchema,
    files: z.int().describe('How many files were deleted'),
  }),
  permissions: ['fs.delete'],
  effect: 'delete',
  access: ({ path }) => [{ permission: 'fs.delete', resource: path }],
  async preview({ path, filesOnly }, { files }) {
    if (filesOnly) await refuseDirectory(path, files);
    const count = await files.count(path);
    return { kind: 'text', text: `Deletes ${path}: ${count} ${count === 1 ? 'file' : 'files'}.` };
  },
  async run({ path, filesOnly }, context) {
    const { files } = context;
    if (filesOnly) await refuseDirectory(path, files);
    await refuseStaleTree(path, context);
    return { path, ...(await files.remove(path)) };
  },
});

async function refuseDirectory(path: string, files: OperationContext['files']): Promise<void> {
  if ((await files.kindOf(path)) === 'directory')
    throw new Failure('E_NOT_FILE', `${JSON.stringify(path)} is a directory, not a file.`);
}
