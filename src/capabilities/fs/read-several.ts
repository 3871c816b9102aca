/** `fs.readSeveral`: the start of several text files at once; one that can't be read does not spoil the others. */
import { z } from 'zod';
import { Failure } from '../../failure.ts';
import { defineOperation, type OperationContext } from '../../runtime/operation.ts';
import { readPage } from './lines.ts';
import { workspacePathSchema } from './workspace-path-schema.ts';

const part = z.strictObject({
  path: workspacePathSchema,
  content: z.string().describe('Its first lines; empty where it could not be read'),
  endLine: z.int(),
  hasMore: z.boolean(),
  error: z.string().optional().describe('Why it could not be read'),
});

export const fsReadSeveral = defineOperation({
  name: 'fs.readSeveral',
  summary: 'Reads the start of several text files.',
  input: z.strictObject({
    paths: z.array(workspacePathSchema).min(1).max(50),
    maxLines: z.int().min(1).describe('The most lines of each file'),
    maxBytes: z.int().min(1).describe('The most bytes of all of them together'),
    maxLineCharacters: z.int().min(1).describe('Longer lines are cut'),
  }),
  output: z.strictObject({ files: z.array(part) }),
  permissions: ['fs.read'],
  effect: 'read',
  access: ({ paths }) => paths.map((path) => ({ permission: 'fs.read', resource: path })),
  async run({ paths, maxBytes, ...limits }, context) {
    const files: z.infer<typeof part>[] = [];
    for (const path of paths)
      files.push(await readOne(path, Math.floor(maxBytes / paths.length), limits, context));
    return { files };
  },
});

async function readOne(
  path: string,
  maxBytes: number,
  limits: { readonly maxLines: number; readonly maxLineCharacters: number },
  { files, signal }: OperationContext,
): Promise<z.infer<typeof part>> {
  try {
    await using file = await files.open(path);
    const page = await readPage(file, path, { ...limits, from: { line: 1 }, maxBytes }, signal);
    return { path, content: page.lines.join('\n'), endLine: page.endLine, hasMore: page.hasLater };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { path, content: '', endLine: 0, hasMore: false, error: error.message };
  }
}
