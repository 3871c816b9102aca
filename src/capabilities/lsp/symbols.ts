/** `lsp.documentSymbols` and `lsp.workspaceSymbols`: what is defined in a file, or in all files of its language. */
import { z } from 'zod';
import { defineOperation } from '../../runtime/operation.ts';
import { workspacePathSchema } from '../fs/workspace-path-schema.ts';
import { placeSchema, serverShape, serverTrouble, toOutput } from './server-answer.ts';

const output = z.strictObject({
  ...serverShape,
  symbols: z.array(
    z.strictObject({
      name: z.string(),
      kind: z.string().describe('Such as function or class'),
      container: z.string().optional(),
      place: placeSchema,
    }),
  ),
});

export const lspDocumentSymbols = defineOperation({
  name: 'lsp.documentSymbols',
  summary: 'What is defined in a file, by a language server.',
  input: z.strictObject({ path: workspacePathSchema }),
  output,
  permissions: ['fs.read'],
  effect: 'read',
  access: ({ path }) => [{ permission: 'fs.read', resource: path }],
  run: async ({ path }, { languages }) =>
    toOutput(await languages.documentSymbols(path), { symbols: [] }, (symbols) => ({
      symbols: [...symbols],
    })),
  troubleOf: (output) => serverTrouble(output),
});

export const lspWorkspaceSymbols = defineOperation({
  name: 'lsp.workspaceSymbols',
  summary: 'What is defined in all files of a language, by name.',
  input: z.strictObject({
    path: workspacePathSchema.describe('A file of the language that is meant'),
    query: z.string(),
  }),
  output,
  permissions: ['fs.read'],
  effect: 'read',
  access: ({ path }) => [{ permission: 'fs.read', resource: path }],
  run: async ({ path, query }, { languages }) =>
    toOutput(await languages.workspaceSymbols(path, query), { symbols: [] }, (symbols) => ({
      symbols: [...symbols],
    })),
  troubleOf: (output) => serverTrouble(output),
});
