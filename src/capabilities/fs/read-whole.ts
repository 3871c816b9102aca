/** `fs.readWhole`: a whole text file, to the byte, or a failure where it is too large. */
import { z } from 'zod';
import { defineOperation } from '../../runtime/operation.ts';
import { decodeText, readWhole, toLines } from './text.ts';
import { workspacePathSchema } from './workspace-path-schema.ts';

export const fsReadWhole = defineOperation({
  name: 'fs.readWhole',
  summary: 'Reads a whole text file.',
  input: z.strictObject({
    path: workspacePathSchema,
    maxBytes: z.int().min(1).describe('A larger file is a failure'),
    lines: z
      .strictObject({ from: z.int().min(1), to: z.int().min(1).optional() })
      .optional()
      .describe('Only these, both ends included'),
  }),
  output: z.strictObject({ path: workspacePathSchema, content: z.string(), lines: z.int(), bytes: z.int() }),
  permissions: ['fs.read'],
  effect: 'read',
  access: ({ path }) => [{ permission: 'fs.read', resource: path }],
  async run({ path, maxBytes, lines }, { files }) {
    await using file = await files.open(path);
    const bytes = await readWhole(file, path, maxBytes);
    const all = toLines(decodeText(bytes, path));
    const wanted = lines === undefined ? all : all.slice(lines.from - 1, lines.to);
    return { path, content: wanted.join(''), lines: wanted.length, bytes: bytes.length };
  },
});
