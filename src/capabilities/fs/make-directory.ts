/** `fs.makeDirectory`: a directory with its missing parents. */
import { z } from 'zod';
import { Failure } from '../../failure.ts';
import { defineOperation, type OperationContext } from '../../runtime/operation.ts';
import { workspacePathSchema } from './workspace-path-schema.ts';

export const fsMakeDirectory = defineOperation({
  name: 'fs.makeDirectory',
  summary: 'Makes a directory with its missing parents; one that is there already is left as it is.',
  input: z.strictObject({ path: workspacePathSchema }),
  output: z.strictObject({ path: workspacePathSchema, isNew: z.boolean() }),
  permissions: ['fs.read', 'fs.write'],
  effect: 'write',
  access: ({ path }) => [
    { permission: 'fs.read', resource: path },
    { permission: 'fs.write', resource: path },
  ],
  async preview({ path }, context) {
    const text = (await isThere(path, context))
      ? `${path} is there already.`
      : `Makes the directory ${path}.`;
    return { kind: 'text', text };
  },
  async run({ path }, context) {
    const isNew = !(await isThere(path, context));
    if (isNew) await context.files.makeDirectory(path);
    return { path, isNew };
  },
});

async function isThere(path: string, { files }: OperationContext): Promise<boolean> {
  try {
    const { kind } = await files.stat(path);
    if (kind === 'directory') return true;
    throw new Failure('E_CONFLICT', `${JSON.stringify(path)} is there already, and is not a directory.`);
  } catch (error) {
    if (error instanceof Failure && error.code === 'E_NOT_FOUND') return false;
    throw error;
  }
}
