/** `skills.use`: which skills there are, and one of them, or a file beside it. */
import { z } from 'zod';
import { defineOperation, type Skill } from '../../runtime/operation.ts';

const load = z.strictObject({
  action: z.literal('load'),
  name: z.string(),
  file: z.string().optional().describe('A file beside its SKILL.md'),
});

const loaded = z.strictObject({
  name: z.string(),
  file: z.string().optional(),
  content: z.string(),
  files: z.array(z.string()).describe('What is beside it'),
  directory: z.string().optional().describe('Where it is in the workspace'),
});

const MAX_FILES = 200;

export const skillsUse = defineOperation({
  name: 'skills.use',
  summary: 'Lists skills, or loads one.',
  input: z.discriminatedUnion('action', [z.strictObject({ action: z.literal('list') }), load]),
  output: z.union([
    z.strictObject({ skills: z.array(z.strictObject({ name: z.string(), description: z.string() })) }),
    loaded,
  ]),
  permissions: ['skill.load'],
  effect: 'read',
  access: (input) => (input.action === 'list' ? [] : [{ permission: 'skill.load', resource: input.name }]),
  async preview(input, { skills }) {
    if (input.action === 'list') return { kind: 'text', text: '' };
    const skill = await skills.get(input.name);
    const text = await textOf(skill, input.file);
    const where = input.file === undefined ? skill.place : `${skill.place}/${input.file}`;
    return { kind: 'text', text: `${where} (${skill.origin}):\n${text}` };
  },
  async run(input, { skills }) {
    if (input.action === 'list') {
      const all = await skills.list();
      return { skills: all.map(({ name, description }) => ({ name, description })) };
    }
    const skill = await skills.get(input.name);
    const { name, directory } = skill;
    return {
      name,
      ...(input.file === undefined ? {} : { file: input.file }),
      content: await textOf(skill, input.file),
      files: input.file === undefined ? skill.files.slice(0, MAX_FILES) : [],
      ...(directory === undefined ? {} : { directory }),
    };
  },
});

async function textOf(skill: Skill, file: string | undefined): Promise<string> {
  return file === undefined ? skill.content : skill.readFile(file);
}
