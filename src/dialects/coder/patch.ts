/** The tools of `coder` that change parts of files. */
import { z } from 'zod';
import { patchApply } from '../../capabilities/patch/apply.ts';
import { patchEdit } from '../../capabilities/patch/edit.ts';
import { readPatch } from '../../capabilities/patch/read-patch.ts';
import { defineTool } from '../dialect.ts';
import { cutDiff } from './cut-diff.ts';
import { cutFields, cutShape } from './cut-output.ts';

const MAX_BYTES = 8 * 1024 * 1024;

const matched = z
  .string()
  .optional()
  .describe('In what the text given differed from the file, and yet fitted');

export const edit = defineTool({
  name: 'edit',
  version: '1.0.0',
  description:
    'Replace text in a file. old_string must be in one place, or set replace_all. Indentation, line endings and quotes that are slightly off are put right.',
  args: z.strictObject({
    path: z.string().describe('Relative to the workspace, or absolute inside it'),
    old_string: z.string().describe('As it is in the file'),
    new_string: z.string(),
    replace_all: z.boolean().optional(),
  }),
  returns: z.object({
    ok: z.literal(true),
    path: z.string().describe('Absolute'),
    replacements: z.int(),
    matched,
    diff: z.string(),
    diff_truncated: z.literal(true).optional(),
  }),
  operation: patchEdit,
  toInput: (args, workspace) => ({
    path: workspace.path(args.path),
    oldText: args.old_string,
    newText: args.new_string,
    all: args.replace_all ?? false,
    dryRun: false,
    maxBytes: MAX_BYTES,
  }),
  render: ({ path, replacements, differences, diff }, { workspace }) => ({
    ok: true,
    path: workspace.absolute(path),
    replacements,
    ...matchedField(differences),
    ...cutDiff(diff),
  }),
});

export const patch = defineTool({
  name: 'patch',
  version: '1.0.0',
  description:
    'Apply a unified diff (or the *** Begin Patch form) to one or more files: create, update, delete, rename. All of it is applied, or nothing.',
  args: z.strictObject({
    patch: z.string(),
    dry_run: z.boolean().optional().describe('Only check it'),
  }),
  returns: z.object({
    ok: z.literal(true),
    applied: z.boolean().describe('False in a dry run'),
    files: z.array(z.string()).describe('Relative to the workspace'),
    results: z.array(
      z.object({
        path: z.string(),
        operation: z.enum(['create', 'update', 'delete', 'rename']),
        from: z.string().optional(),
        additions: z.int(),
        deletions: z.int(),
        hunks: z.array(z.object({ line: z.int(), matched })),
      }),
    ),
    ...cutShape,
  }),
  operation: patchApply,
  toInput: (args, workspace) => ({
    files: readPatch(args.patch, (written) => workspace.path(written)),
    alreadyApplied: 'failure',
    dryRun: args.dry_run ?? false,
    wantsCleanTree: false,
    maxBytes: MAX_BYTES,
  }),
  render: ({ applied, files }, { truncation }) => ({
    ok: true,
    applied,
    files: files.map(({ path }) => path),
    results: files.map(({ path, operation, from, additions, deletions, hunks }) => ({
      path,
      operation,
      ...(from === undefined ? {} : { from }),
      additions,
      deletions,
      hunks: hunks.map(({ line, differences }) => ({ line, ...matchedField(differences) })),
    })),
    ...cutFields(truncation),
  }),
});

function matchedField(differences: readonly string[]): { matched?: string } {
  return differences.length === 0 ? {} : { matched: `but for ${differences.join(', ')}` };
}
