/** `fs.readWhole`: a whole text file, to the byte, or a failure where it is too large. */
import { z } from 'zod';
import { defineOperation } from '../../runtime/operation.ts';
import { decodeText, readWhole } from './text.ts';
import { workspacePathSchema } from './workspace-path-schema.ts';

export const fsReadWhole = defineOperation({
  name: 'fs.readWhole',
  summary: 'Reads a whole text file.',
  input: z.strictObject({
    path: workspacePathSchema,
    maxBytes: z.int().min(1).describe('A larger file is a failure'),
  }),
  output: z.strictObject({ path: workspacePathSchema, content: z.string(), bytes: z.int() }),
  permissions: ['fs.read'],
  effect: 'read',
  access: ({ path }) => [{ permission: 'fs.read', resource: path }],
  async run({ path, maxBytes }, { files }) {
    await using file = await files.open(path);
    const bytes = await readWhole(file, path, maxBytes);
    return { path, content: decodeText(bytes, path), bytes: bytes.length };
  },
});
