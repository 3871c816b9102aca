/** `lsp.hover`: the type and the documentation of the name at a place. */
import { z } from 'zod';
import { defineOperation } from '../../runtime/operation.ts';
import { workspacePathSchema } from '../fs/workspace-path-schema.ts';
import { positionSchema, serverShape, serverTrouble, toOutput } from './server-answer.ts';

export const lspHover = defineOperation({
  name: 'lsp.hover',
  summary: 'Type and documentation of the name at a place, by a language server.',
  input: z.strictObject({ path: workspacePathSchema, position: positionSchema }),
  output: z.strictObject({
    ...serverShape,
    contents: z.string().describe('Empty where nothing is known'),
    kind: z.enum(['markdown', 'plaintext']),
  }),
  permissions: ['fs.read'],
  effect: 'read',
  access: ({ path }) => [{ permission: 'fs.read', resource: path }],
  run: async ({ path, position }, { languages }) =>
    toOutput(await languages.hover(path, position), NOTHING, (hover) => hover ?? NOTHING),
  troubleOf: (output) => serverTrouble(output),
});

const NOTHING: { contents: string; kind: 'markdown' | 'plaintext' } = { contents: '', kind: 'plaintext' };
