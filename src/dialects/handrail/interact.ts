/** What `handrail` shows the user, and asks them. */
import { z } from 'zod';
import { choicesSchema, interactAsk, messageSchema } from '../../capabilities/interact/ask.ts';
import { interactDisplay, LEVELS } from '../../capabilities/interact/display.ts';
import { commentSchema, interactReview } from '../../capabilities/interact/review.ts';
import { readPatch } from '../../capabilities/patch/read-patch.ts';
import { defineTool } from '../dialect.ts';

export const display = defineTool({
  name: 'display',
  version: '1.0.0',
  description: 'Show the user a message in Markdown while you work; at most 10,000 characters.',
  args: z.strictObject({
    content: z.string(),
    level: z.enum(LEVELS).optional().describe('info by default'),
    title: z.string().optional(),
  }),
  returns: z.object({
    ok: z.literal(true),
    displayed: z.boolean().describe('Whether anybody was there to see it'),
    truncated: z.literal(true).optional(),
    preview: z.string().optional().describe('Its start, where nobody saw it'),
  }),
  operation: interactDisplay,
  toInput: ({ level = 'info', ...message }) => ({ ...message, level }),
  render: ({ displayed, truncated, preview }) => ({
    ok: true,
    displayed,
    ...(truncated ? { truncated } : {}),
    ...(preview === undefined ? {} : { preview }),
  }),
});

export const askUser = defineTool({
  name: 'ask_user',
  version: '1.0.0',
  description:
    'Ask the user something you can not find out yourself, and wait for the answer: one of the choices, or a text without them. It gives no permission.',
  args: z.strictObject({ message: messageSchema, choices: choicesSchema.optional() }),
  returns: z.object({ ok: z.literal(true), answer: z.string() }),
  operation: interactAsk,
  toInput: (args) => args,
  render: ({ answer }) => ({ ok: true, answer }),
});

export const patchReview = defineTool({
  name: 'patch_review',
  version: '1.0.0',
  description:
    'Have the user review a patch chunk by chunk. Nothing is changed: give filtered_diff to patch, and heed the comments.',
  args: z.strictObject({ patch: z.string(), message: messageSchema.optional() }),
  returns: z.object({
    ok: z.literal(true),
    action: z.enum(['apply', 'cancel']),
    filtered_diff: z.string(),
    chunks_selected: z.array(z.int()).describe('Counted from 1'),
    chunks_total: z.int(),
    comments: z.array(commentSchema).optional(),
  }),
  operation: interactReview,
  toInput: ({ patch, message }, workspace) => ({
    files: readPatch(patch, (written) => workspace.path(written)),
    maxBytes: 8 * 1024 * 1024,
    ...(message === undefined ? {} : { message }),
  }),
  render: ({ action, filteredDiff, taken, total, comments }) => ({
    ok: true,
    action,
    filtered_diff: filteredDiff,
    chunks_selected: taken,
    chunks_total: total,
    ...(comments.length === 0 ? {} : { comments }),
  }),
});
