/** `lsp.lint`: what is wrong in several files: by a language server, else by a linter, else in words why nobody knows. */
import { z } from 'zod';
import type { Answered, DiagnosticReport } from '../../host/ports.ts';
import { defineOperation, type ScopedLanguages } from '../../runtime/operation.ts';
import { workspacePathSchema } from '../fs/workspace-path-schema.ts';
import { diagnosticSchema } from './diagnostic-schema.ts';

const lintedFile = z.strictObject({
  path: workspacePathSchema,
  by: z.string().optional().describe('The server or linter that looked'),
  says: z.string().optional().describe('Why nobody did, or what was not looked for'),
  diagnostics: z.array(diagnosticSchema),
});

export const lspLint = defineOperation({
  name: 'lsp.lint',
  summary: 'What is wrong in files, by language servers or linters.',
  input: z.strictObject({ paths: z.array(workspacePathSchema).min(1).max(100) }),
  output: z.strictObject({ files: z.array(lintedFile) }),
  permissions: ['fs.read'],
  effect: 'read',
  access: ({ paths }) => paths.map((path) => ({ permission: 'fs.read' as const, resource: path })),
  run: async ({ paths }, { languages }) => ({
    files: await Promise.all(paths.map((path) => lint(path, languages))),
  }),
});

async function lint(path: string, languages: ScopedLanguages): Promise<z.infer<typeof lintedFile>> {
  const byServer = await languages.diagnostics(path);
  if (byServer.status === 'active') return linted(path, byServer);
  const byLinter = await languages.lint(path);
  if (byLinter.status === 'active') return linted(path, byLinter);
  const install = byServer.install === undefined ? '' : ` Install it: ${byServer.install}`;
  return { path, says: `${byServer.says} ${byLinter.says}${install}`, diagnostics: [] };
}

function linted(
  path: string,
  { server, value, note }: Answered<DiagnosticReport>,
): z.infer<typeof lintedFile> {
  return {
    path,
    by: server,
    ...(note === undefined ? {} : { says: note }),
    diagnostics: [...value.diagnostics],
  };
}
