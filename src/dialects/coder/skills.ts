/** Skills in `coder`. */
import { z } from 'zod';
import { toSkillName } from '../../capabilities/skills/skill-name.ts';
import { skillsUse } from '../../capabilities/skills/use.ts';
import { defineTool } from '../dialect.ts';

const args = z.strictObject({
  action: z.enum(['list', 'load']),
  name: z.string().optional().describe('For load'),
  file: z.string().min(1).optional().describe("With load: one of the skill's files"),
});

export const skill = defineTool({
  name: 'skill',
  version: '1.0.0',
  description:
    'List skills, which are instructions for kinds of work, or load one before you do such work. A loaded skill names its files; load them by file.',
  args: args.superRefine(({ action, name = '' }, context) => {
    if (action === 'load' && name.trim() === '')
      context.addIssue({ code: 'custom', path: ['name'], message: 'the name of the skill is empty' });
  }),
  returns: z.object({
    ok: z.literal(true),
    items: z
      .array(z.object({ name: z.string(), description: z.string() }))
      .optional()
      .describe('Of list'),
    count: z.int().optional(),
    name: z.string().optional().describe('Of load, as all below'),
    file: z.string().optional(),
    content: z.string().optional(),
    files: z.array(z.string()).optional(),
    directory: z.string().optional().describe('Where it is in the workspace'),
  }),
  operation: skillsUse,
  toInput: ({ action, name = '', file }) =>
    action === 'list' ? { action } : { action, name: toSkillName(name) ?? name, file },
  render: (used) => {
    if ('skills' in used) return { ok: true, items: used.skills, count: used.skills.length };
    const { files, ...rest } = used;
    return { ok: true, ...rest, ...(files.length === 0 ? {} : { files }) };
  },
});
