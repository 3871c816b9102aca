/** `read_lints` of `clude`. */
import { z } from 'zod';
import { lspLint } from '../../capabilities/lsp/lint.ts';
import { defineTool } from '../dialect.ts';

export const readLints = defineTool({
  name: 'read_lints',
  version: '1.0.0',
  description:
    'Errors and warnings in files as they are now, from their language server or a linter. Says so where there is neither.',
  args: z.strictObject({ paths: z.array(z.string()).min(1).max(100) }),
  returns: z.object({
    files: z.array(
      z.object({
        path: z.string(),
        source: z.string().nullable().describe('Who looked; null where nobody could'),
        lints: z.array(
          z.object({
            line: z.int().describe('Counted from 1'),
            column: z.int().describe('Counted from 1'),
            severity: z.enum(['error', 'warning', 'information', 'hint']),
            message: z.string(),
            code: z.string().optional(),
          }),
        ),
        note: z.string().optional(),
      }),
    ),
    total: z.int(),
    truncated: z.literal(true).optional(),
  }),
  operation: lspLint,
  toInput: ({ paths }, workspace) => ({ paths: [...new Set(paths.map((path) => workspace.path(path)))] }),
  render: ({ files }, { truncation }) => ({
    files: files.map(({ path, by, says, diagnostics }) => ({
      path,
      source: by ?? null,
      lints: diagnostics.map(({ range, severity, message, code }) => ({
        line: range.start.line + 1,
        column: range.start.character + 1,
        severity,
        message,
        ...(code === undefined ? {} : { code }),
      })),
      ...(says === undefined ? {} : { note: says }),
    })),
    total: files.reduce((sum, { diagnostics }) => sum + diagnostics.length, 0),
    ...(truncation === undefined ? {} : { truncated: true }),
  }),
});
