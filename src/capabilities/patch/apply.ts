/** `patch.apply`: changes of several files, all of them or none. */
import { z } from 'zod';
import { defineOperation, type Operation, type OperationContext } from '../../runtime/operation.ts';
import { refuseStale } from '../fs/stale.ts';
import { workspacePathSchema } from '../fs/workspace-path-schema.ts';
import { refuseUnclean } from './clean-tree.ts';
import { fileDiff } from './file-diff.ts';
import { type FilePatch, filePatchSchema } from './file-patch.ts';
import { type FilePlan, planFile } from './plan-file.ts';

const input = z.strictObject({
  files: z.array(filePatchSchema).min(1),
  alreadyApplied: z.enum(['applied', 'failure']).describe('What a hunk is that is in place already'),
  dryRun: z.boolean().describe('Only says what would be changed'),
  wantsCleanTree: z.boolean().describe('Whether files with uncommitted changes are kept from it'),
  maxBytes: z.int().min(1).describe('A larger file is a failure'),
});
type Input = z.infer<typeof input>;

const changedFile = z.strictObject({
  path: workspacePathSchema,
  operation: z.enum(['create', 'update', 'delete', 'rename']),
  from: workspacePathSchema.optional().describe('The old name of a rename'),
  additions: z.int(),
  deletions: z.int(),
  diff: z.string().describe('Left out where all of them together would be too long'),
  hunks: z.array(
    z.strictObject({
      line: z.int().describe('The first line it changed, as the file is now'),
      differences: z.array(z.string()).describe('In what it differed from the file, and yet fitted'),
      already: z.boolean().describe('It was in place already'),
    }),
  ),
});
type ChangedFile = z.infer<typeof changedFile>;

export const patchApply = defineOperation({
  name: 'patch.apply',
  summary: 'Applies a patch to several files: all of it, or nothing.',
  input,
  output: z.strictObject({ applied: z.boolean(), files: z.array(changedFile) }),
  permissions: ['fs.read', 'fs.write', 'fs.delete'],
  effect: 'write',
  access: ({ files, dryRun }) => files.flatMap((file) => accessesOf(file, dryRun)),
  extent: ({ files }) => ({
    files: files.length,
    lines: files
      .flatMap(({ hunks }) => hunks.flatMap(({ lines }) => lines))
      .filter(({ mark }) => mark !== ' ').length,
  }),
  async preview(input, context) {
    const diffs = describe(await planAll(input, context)).map(({ diff }) => diff);
    return { kind: 'diff', text: diffs.join('') };
  },
  async run(input, context) {
    const plans = await planAll(input, context);
    const changes = plans.flatMap(({ change }) => (change === undefined ? [] : [change]));
    if (!input.dryRun) await context.files.changeAll(changes);
    return { applied: !input.dryRun, files: bounded(describe(plans)) };
  },
});

type Access = ReturnType<Operation['access']>[number];

/** What is read comes before what is changed. */
function accessesOf({ operation, path, from }: FilePatch, dryRun: boolean): Access[] {
  const named = from === undefined ? [path] : [from, path];
  const reads = named.map((resource): Access => ({ permission: 'fs.read', resource }));
  if (dryRun) return reads;
  if (operation === 'delete') return [...reads, { permission: 'fs.delete', resource: path }];
  const moved: Access[] = from === undefined ? [] : [{ permission: 'fs.delete', resource: from }];
  return [...reads, ...moved, { permission: 'fs.write', resource: path }];
}

async function planAll(
  { files: patches, wantsCleanTree, ...options }: Input,
  context: OperationContext,
): Promise<FilePlan[]> {
  const plans: FilePlan[] = [];
  for (const patch of patches) {
    const plan = await planFile(patch, context.files, options);
    const isExact = plan.hunks.every(({ differences }) => differences.length === 0);
    if (!isExact) refuseStale(patch.from ?? patch.path, context);
    plans.push(plan);
  }
  if (wantsCleanTree) await refuseUnclean(plans, context);
  return plans;
}

function describe(plans: readonly FilePlan[]): ChangedFile[] {
  return plans.map((plan) => ({
    path: plan.path,
    operation: plan.operation,
    ...(plan.from === undefined ? {} : { from: plan.from }),
    ...fileDiff(plan),
    hunks: plan.hunks.map(({ line, differences, already }) => ({
      line,
      differences: [...differences],
      already,
    })),
  }));
}

/** Together the diffs of an answer have at most so many characters: whoever sent the patch knows them. */
const MAX_DIFFS = 100_000;

function bounded(files: readonly ChangedFile[]): ChangedFile[] {
  let left = MAX_DIFFS;
  return files.map((file) => {
    left -= file.diff.length;
    return left >= 0 ? file : { ...file, diff: '' };
  });
}
