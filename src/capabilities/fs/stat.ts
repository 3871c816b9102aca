/** `fs.stat`: what stands at a path. */
import { z } from 'zod';
import { defineOperation } from '../../runtime/operation.ts';
import { workspacePathSchema } from './workspace-path-schema.ts';

export const fsStat = defineOperation({
  name: 'fs.stat',
  summary: 'Says what stands at a path: its kind, size, mode and when it changed.',
  input: z.strictObject({ path: workspacePathSchema }),
  output: z.strictObject({
    path: workspacePathSchema,
    kind: z.enum(['file', 'directory', 'link', 'other']),
    bytes: z.int(),
    mode: z.string().describe('Permission bits, octal'),
    modifiedAt: z.string().describe('ISO 8601'),
  }),
  permissions: ['fs.read'],
  effect: 'read',
  access: ({ path }) => [{ permission: 'fs.read', resource: path }],
  async run({ path }, { files }) {
    const { kind, size, mode, modifiedMs } = await files.stat(path);
    return {
      path,
      kind,
      bytes: size,
      mode: mode.toString(8).padStart(3, '0'),
      modifiedAt: new Date(modifiedMs).toISOString(),
    };
  },
});
