/** `lsp.rename`: a new name for what stands at a place, everywhere it is used, as a patch. Nothing is changed. */
import { z } from 'zod';
import { defineOperation } from '../../runtime/operation.ts';
import { unifiedDiff } from '../fs/unified-diff.ts';
import { workspacePathSchema } from '../fs/workspace-path-schema.ts';
import { positionSchema, serverShape, serverTrouble, toOutput } from './server-answer.ts';

export const lspRename = defineOperation({
  name: 'lsp.rename',
  summary: 'A renaming as a patch, by a language server.',
  input: z.strictObject({
    path: workspacePathSchema,
    position: positionSchema,
    name: z.string().min(1).describe('The new name'),
  }),
  output: z.strictObject({
    ...serverShape,
    patch: z.string().describe('A unified diff; empty where nothing would change'),
    files: z.array(workspacePathSchema),
  }),
  permissions: ['fs.read'],
  effect: 'read',
  // The patch shows parts of every file that uses the name.
  access: ({ path }) => [
    { permission: 'fs.read', resource: path },
    { permission: 'fs.read', resource: '.' },
  ],
  run: async ({ path, position, name }, { languages }) =>
    toOutput(await languages.rename(path, position, name), { patch: '', files: [] as string[] }, (edits) => ({
      patch: edits.map((edit) => unifiedDiff(edit.path, edit.before, edit.after).diff).join(''),
      files: edits.map((edit) => edit.path),
    })),
  troubleOf: (output) => serverTrouble(output),
});
