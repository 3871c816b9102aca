/** `fs.read`: a page of lines of a text file. */
import { z } from 'zod';
import { defineOperation } from '../../runtime/operation.ts';
import { readPage } from './lines.ts';
import { workspacePathSchema } from './workspace-path-schema.ts';

export const fsRead = defineOperation({
  name: 'fs.read',
  summary: 'Reads a page of lines of a text file.',
  input: z.strictObject({
    path: workspacePathSchema,
    from: z
      .union([z.strictObject({ line: z.int().min(1) }), z.strictObject({ last: z.literal(true) })])
      .describe('The first line, counted from 1, or the last lines of the file'),
    maxLines: z.int().min(1).describe('The most lines of a page'),
    maxBytes: z.int().min(1).describe('A page ends before the line that would go beyond this'),
    maxLineCharacters: z.int().min(1).describe('Longer lines are cut'),
  }),
  output: z.strictObject({
    path: workspacePathSchema,
    content: z.string().describe('The lines, joined by newlines'),
    startLine: z.int().describe('0 where there is nothing'),
    endLine: z.int(),
    hasEarlier: z.boolean(),
    hasLater: z.boolean(),
    isTail: z.boolean().describe('Whether the last lines were asked for'),
    cutLines: z.int().describe('How many lines were cut'),
    totalBytes: z.int().describe('The size of the whole file'),
  }),
  permissions: ['fs.read'],
  effect: 'read',
  access: ({ path }) => [{ permission: 'fs.read', resource: path }],
  async run({ path, ...request }, { files, signal }) {
    await using file = await files.open(path);
    const { lines, ...page } = await readPage(file, path, request, signal);
    const isTail = 'last' in request.from;
    return { path, content: lines.join('\n'), isTail, ...page, totalBytes: file.stat.size };
  },
});
