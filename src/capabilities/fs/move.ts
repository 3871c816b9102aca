/** `fs.move`: a file, a link itself, or a directory to another name. */
import { z } from 'zod';
import { defineOperation } from '../../runtime/operation.ts';
import { workspacePathSchema } from './workspace-path-schema.ts';

export const fsMove = defineOperation({
  name: 'fs.move',
  summary: 'Moves or renames a file, a link or a directory; replaces nothing.',
  input: z.strictObject({ from: workspacePathSchema, to: workspacePathSchema }),
  output: z.strictObject({
    from: workspacePathSchema,
    to: workspacePathSchema,
    files: z.int().describe('How many files moved'),
  }),
  permissions: ['fs.delete', 'fs.write'],
  effect: 'write',
  access: ({ from, to }) => [
    { permission: 'fs.delete', resource: from },
    { permission: 'fs.write', resource: to },
  ],
  async preview({ from, to }, { files }) {
    const count = await files.count(from);
    return { kind: 'text', text: `Moves ${from} to ${to}: ${count} ${count === 1 ? 'file' : 'files'}.` };
  },
  async run({ from, to }, { files }) {
    return { from, to, ...(await files.move(from, to)) };
  },
});
