/** Patches in `codelab`: of at most 5 MB; a hunk that is in place already counts as applied. */
import { z } from 'zod';
import { patchApply } from '../../capabilities/patch/apply.ts';
import { readPatch } from '../../capabilities/patch/read-patch.ts';
import { Failure } from '../../failure.ts';
import { defineTool } from '../dialect.ts';

export const MAX_PATCH_BYTES = 5 * 1024 * 1024;

export const applyPatch = defineTool({
  name: 'apply_patch',
  version: '1.0.0',
  description:
    'Apply a unified diff of at most 5 MB: all of it, or nothing. The files must have no uncommitted changes.',
  args: z.strictObject({ diff: z.string() }),
  returns: z.object({
    success: z.literal(true),
    files_modified: z.array(z.string()),
    already_applied: z.array(z.string()).optional().describe('Files in which hunks were in place already'),
  }),
  operation: patchApply,
  toInput: ({ diff }, workspace) => {
    refuseLarge(diff);
    return {
      files: readPatch(diff, (written) => workspace.path(written)),
      alreadyApplied: 'applied',
      dryRun: false,
      wantsCleanTree: true,
      maxBytes: MAX_PATCH_BYTES,
    };
  },
  render: ({ files }) => {
    const already = files.filter(({ hunks }) => hunks.some((hunk) => hunk.already)).map(({ path }) => path);
    return {
      success: true,
      files_modified: files.map(({ path }) => path),
      ...(already.length === 0 ? {} : { already_applied: already }),
    };
  },
});

/** Its messages hold no larger diff. */
export function refuseLarge(diff: string): void {
  const bytes = Buffer.byteLength(diff);
  if (bytes <= MAX_PATCH_BYTES) return;
  throw new Failure(
    'E_TOO_LARGE',
    `The diff has ${bytes} bytes, more than the ${MAX_PATCH_BYTES} that are taken.`,
    {
      details: { file_size: bytes, max_size: MAX_PATCH_BYTES },
    },
  );
}
