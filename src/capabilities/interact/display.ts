/** `interact.display`: something for the user to read while the agent works. It never fails. */
import { z } from 'zod';
import { defineOperation } from '../../runtime/operation.ts';

export const LEVELS = ['info', 'success', 'warning', 'error', 'progress'] as const;

const MAX_CONTENT = 10_000;
const MAX_TITLE = 200;
const MAX_EVIDENCE = 50;
const MAX_EVIDENCE_ITEM = 500;
const MAX_PREVIEW = 200;

export const interactDisplay = defineOperation({
  name: 'interact.display',
  summary: 'Shows the user a message.',
  input: z.strictObject({
    content: z.string(),
    level: z.enum(LEVELS),
    title: z.string().optional(),
    thought: z.string().optional().describe('Why'),
    evidence: z.array(z.string()).optional().describe('What it rests on'),
  }),
  output: z.strictObject({
    displayed: z.boolean().describe('Whether anybody was there to see it'),
    length: z.int().describe('Characters of the content, as it was given'),
    level: z.enum(LEVELS),
    truncated: z.boolean(),
    preview: z.string().optional().describe('Its start, where nobody saw it'),
  }),
  permissions: [],
  effect: 'read',
  access: () => [],
  async run({ content, level, title, thought, evidence }, { people }) {
    const message = {
      content: cut(content, MAX_CONTENT),
      level,
      ...(title === undefined ? {} : { title: cut(title, MAX_TITLE) }),
      ...(thought === undefined ? {} : { thought: cut(thought, MAX_CONTENT) }),
      ...(evidence === undefined
        ? {}
        : { evidence: evidence.slice(0, MAX_EVIDENCE).map((item) => cut(item, MAX_EVIDENCE_ITEM)) }),
    };
    const displayed = await people.display(message);
    return {
      displayed,
      length: content.length,
      level,
      truncated: JSON.stringify(message) !== JSON.stringify({ content, level, title, thought, evidence }),
      ...(displayed ? {} : { preview: cut(content, MAX_PREVIEW) }),
    };
  },
});

/** The start of a text, without half a character at its end. */
function cut(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}
