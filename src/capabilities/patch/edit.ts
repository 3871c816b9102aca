/** `patch.edit`: a piece of text in a file for another one. */
import { z } from 'zod';
import { Failure } from '../../failure.ts';
import { defineOperation, type FileChange, type OperationContext } from '../../runtime/operation.ts';
import { refuseStale } from '../fs/stale.ts';
import { unifiedDiff } from '../fs/unified-diff.ts';
import { workspacePathSchema } from '../fs/workspace-path-schema.ts';
import { findPlaceholder } from './placeholders.ts';
import { readText, toBytes } from './read-text.ts';
import { replaceText } from './replace-text.ts';

const input = z.strictObject({
  path: workspacePathSchema,
  oldText: z.string(),
  newText: z.string(),
  all: z.boolean().describe('Whether every place is meant; else there may be only one'),
  dryRun: z.boolean().describe('Only says what would be changed'),
  maxBytes: z.int().min(1).describe('A larger file is a failure'),
});
type Input = z.infer<typeof input>;

const output = z.strictObject({
  path: workspacePathSchema,
  replacements: z.int(),
  lines: z.array(z.int()).describe('The first line of each place, as the file was'),
  differences: z.array(z.string()).describe('In what the old text differed from the file, and yet fitted'),
  additions: z.int(),
  deletions: z.int(),
  diff: z.string(),
});
type Output = z.infer<typeof output>;

export const patchEdit = defineOperation({
  name: 'patch.edit',
  summary:
    'Replaces a piece of text in a file; indentation, line endings and look-alike characters are the file’s.',
  input,
  output,
  permissions: ['fs.read', 'fs.write'],
  effect: 'write',
  access: ({ path, dryRun }) => [
    { permission: 'fs.read', resource: path },
    ...(dryRun ? [] : [{ permission: 'fs.write', resource: path } as const]),
  ],
  async preview(input, context) {
    return { kind: 'diff', text: (await plan(input, context)).output.diff };
  },
  async run(input, context) {
    const { change, output } = await plan(input, context);
    if (!input.dryRun) await context.files.changeAll([change]);
    return output;
  },
});

interface Plan {
  readonly change: FileChange;
  readonly output: Output;
}

async function plan(input: Input, context: OperationContext): Promise<Plan> {
  const { path, oldText, newText, all, maxBytes } = input;
  if (context.settings.refusePlaceholders) refusePlaceholder(oldText, newText);
  const { bytes, text } = await readText(context.files, path, maxBytes);
  const edited = replaceText(path, text, { oldText, newText, all });
  // What is there to the letter, and once, proves itself that the caller knows the file.
  if (edited.differences.length > 0) refuseStale(path, context);
  return {
    change: { path, before: bytes, after: toBytes(edited.text, path, maxBytes) },
    output: {
      path,
      replacements: edited.lines.length,
      lines: [...edited.lines],
      differences: [...edited.differences],
      ...unifiedDiff(path, text, edited.text),
    },
  };
}

function refusePlaceholder(oldText: string, newText: string): void {
  const placeholder = findPlaceholder(oldText, newText);
  if (placeholder === undefined) return;
  throw new Failure('E_INVALID_ARGS', `The new text leaves something out: ${JSON.stringify(placeholder)}.`, {
    hint: 'Nothing was changed. Write the lines that should be there, or edit a smaller piece.',
  });
}
