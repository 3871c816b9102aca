/** What `clude` shows the user. */
import { z } from 'zod';
import { interactDisplay, LEVELS } from '../../capabilities/interact/display.ts';
import { defineTool } from '../dialect.ts';

export const display = defineTool({
  name: 'display',
  version: '1.0.0',
  description:
    'Show the user progress, an interim result or an explanation while you work; Markdown, at most 10,000 characters. It never fails.',
  args: z.strictObject({
    content: z.string(),
    level: z.enum(LEVELS).default('info').optional(),
    title: z.string().optional(),
    thought: z.string().optional().describe('Why you do it'),
    evidence: z.array(z.string()).optional().describe('What it rests on'),
  }),
  returns: z.object({
    displayed: z.boolean().describe('Whether anybody was there to see it'),
    length: z.int(),
    level: z.enum(LEVELS),
    truncated: z.boolean(),
    preview: z.string().optional().describe('Its first 200 characters, where nobody saw it'),
  }),
  operation: interactDisplay,
  toInput: ({ level = 'info', ...message }) => ({ ...message, level }),
});
