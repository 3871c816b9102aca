/** What `codelab` asks the user. */
import { z } from 'zod';
import { choicesSchema, interactAsk, messageSchema } from '../../capabilities/interact/ask.ts';
import { commentSchema, interactReview } from '../../capabilities/interact/review.ts';
import { readPatch } from '../../capabilities/patch/read-patch.ts';
import { defineTool } from '../dialect.ts';
import { MAX_PATCH_BYTES, refuseLarge } from './patch.ts';

export const promptUser = defineTool({
  name: 'prompt_user',
  version: '1.0.0',
  description: 'Ask the user to choose one of several actions, and wait for the answer.',
  args: z.strictObject({ message: messageSchema, actions: choicesSchema }),
  returns: z.object({ action: z.string().describe('One of the actions') }),
  operation: interactAsk,
  toInput: ({ message, actions }) => ({ message, choices: actions }),
  render: ({ answer }) => ({ action: answer }),
});

export const applyPatchReview = defineTool({
  name: 'apply_patch_review',
  version: '1.0.0',
  description:
    'Have the user review a unified diff chunk by chunk. Nothing is applied: send filtered_diff to apply_patch.',
  args: z.strictObject({ diff: z.string(), message: messageSchema.optional() }),
  returns: z.object({
    filtered_diff: z.string().describe('Only the chunks that were taken'),
    action: z.enum(['apply', 'cancel']),
    chunks_selected: z.array(z.int()).describe('Counted from 1'),
    chunks_total: z.int(),
    comments: z.array(commentSchema).optional().describe('What the user said'),
  }),
  operation: interactReview,
  toInput: ({ diff, message }, workspace) => {
    refuseLarge(diff);
    const files = readPatch(diff, (written) => workspace.path(written));
    return { files, maxBytes: MAX_PATCH_BYTES, ...(message === undefined ? {} : { message }) };
  },
  render: ({ filteredDiff, action, taken, total, comments }) => ({
    filtered_diff: filteredDiff,
    action,
    chunks_selected: taken,
    chunks_total: total,
    ...(comments.length === 0 ? {} : { comments }),
  }),
});
