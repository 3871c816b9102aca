/** Patches in `clude`. */
import { z } from 'zod';
import { patchApply } from '../../capabilities/patch/apply.ts';
import { readPatch } from '../../capabilities/patch/read-patch.ts';
import { defineTool } from '../dialect.ts';

export const applyPatch = defineTool({
  name: 'apply_patch',
  version: '1.0.0',
  description:
    'Change files by a patch: a unified diff, or the *** Begin Patch form. All of it is applied, or nothing.',
  args: z.strictObject({ patch_text: z.string() }),
  returns: z.object({
    files_changed: z.array(z.string()),
    results: z.array(
      z.object({
        path: z.string(),
        operation: z.enum(['create', 'update', 'delete', 'rename']),
        additions: z.int(),
        deletions: z.int(),
        matched: z.array(z.string()).describe('In what the patch differed from the file, and yet fitted'),
      }),
    ),
  }),
  operation: patchApply,
  toInput: (args, workspace) => ({
    files: readPatch(args.patch_text, (written) => workspace.path(written)),
    alreadyApplied: 'failure',
    dryRun: false,
    wantsCleanTree: false,
    maxBytes: 8 * 1024 * 1024,
  }),
  render: ({ files }) => ({
    files_changed: files.map(({ path }) => path),
    results: files.map(({ path, operation, additions, deletions, hunks }) => ({
      path,
      operation,
      additions,
      deletions,
      matched: [...new Set(hunks.flatMap(({ differences }) => differences))],
    })),
  }),
});
