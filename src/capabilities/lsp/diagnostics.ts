/** `lsp.diagnostics`: what a language server finds wrong in a file as it is now. */
import { z } from 'zod';
import { defineOperation } from '../../runtime/operation.ts';
import { workspacePathSchema } from '../fs/workspace-path-schema.ts';
import { diagnosticSchema, differenceTo } from './diagnostic-schema.ts';
import { serverShape, serverTrouble, toOutput } from './server-answer.ts';

export const lspDiagnostics = defineOperation({
  name: 'lsp.diagnostics',
  summary: 'What a language server finds wrong in a file.',
  input: z.strictObject({
    path: workspacePathSchema,
    onlyNew: z.boolean().describe('Only what was not found in the text that the file had before'),
  }),
  output: z.strictObject({
    ...serverShape,
    path: workspacePathSchema,
    diagnostics: z.array(diagnosticSchema),
    leftOut: z.int().describe('How many more there are'),
    fixed: z.int().optional().describe('How many were found in the text before, and are gone'),
  }),
  permissions: ['fs.read'],
  effect: 'read',
  access: ({ path }) => [{ permission: 'fs.read', resource: path }],
  async run({ path, onlyNew }, { languages }) {
    const none: Found = { diagnostics: [], leftOut: 0 };
    const output = toOutput(
      await languages.diagnostics(path),
      none,
      ({ diagnostics, leftOut, before }): Found => {
        if (!onlyNew || before === undefined) return { diagnostics: [...diagnostics], leftOut };
        const { added, fixed } = differenceTo(before, diagnostics);
        return { diagnostics: added, leftOut, fixed };
      },
    );
    return { path, ...output };
  },
  troubleOf: (output) => serverTrouble(output),
});

interface Found {
  readonly diagnostics: z.infer<typeof diagnosticSchema>[];
  readonly leftOut: number;
  readonly fixed?: number;
}
