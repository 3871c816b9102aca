/** `lsp.references`: every place where the name at a place is used. */
import { z } from 'zod';
import { defineOperation } from '../../runtime/operation.ts';
import { workspacePathSchema } from '../fs/workspace-path-schema.ts';
import { placeSchema, positionSchema, serverShape, serverTrouble, toOutput } from './server-answer.ts';

export const lspReferences = defineOperation({
  name: 'lsp.references',
  summary: 'Where the name at a place is used, by a language server.',
  input: z.strictObject({ path: workspacePathSchema, position: positionSchema }),
  output: z.strictObject({ ...serverShape, places: z.array(placeSchema) }),
  permissions: ['fs.read'],
  effect: 'read',
  access: ({ path }) => [{ permission: 'fs.read', resource: path }],
  run: async ({ path, position }, { languages }) =>
    toOutput(await languages.references(path, position), { places: [] }, (places) => ({
      places: [...places],
    })),
  troubleOf: (output) => serverTrouble(output),
});
