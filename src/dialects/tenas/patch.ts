/** Patches in `tenas`. */
import { z } from 'zod';
import { patchApply } from '../../capabilities/patch/apply.ts';
import { readPatch } from '../../capabilities/patch/read-patch.ts';
import { defineTool } from '../dialect.ts';

export const filePatch = defineTool({
  name: 'file-patch',
  version: '1.0.0',
  description: 'Apply a unified diff to one or more files. All of it is applied, or nothing.',
  args: z.strictObject({ patch: z.string(), dry_run: z.boolean().optional().describe('Only check it') }),
  returns: z.object({
    applied: z.boolean().describe('False in a dry run'),
    files: z.array(
      z.object({
        path: z.string(),
        operation: z.enum(['create', 'update', 'delete', 'rename']),
        additions: z.int(),
        deletions: z.int(),
      }),
    ),
  }),
  operation: patchApply,
  toInput: (args, workspace) => ({
    files: readPatch(args.patch, (written) => workspace.path(written)),
    alreadyApplied: 'failure',
    dryRun: args.dry_run ?? false,
    wantsCleanTree: false,
    maxBytes: 8 * 1024 * 1024,
  }),
  render: ({ applied, files }) => ({
    applied,
    files: files.map(({ path, operation, additions, deletions }) => ({
      path,
      operation,
      additions,
      deletions,
    })),
  }),
});
