/** The table of skills. */
import { CREATE_SKILL } from '../../src/capabilities/skills/create-skill.ts';
import { type Case, NOT_PRESENTED, type Table } from './table.ts';

const cases: readonly Case[] = [
  {
    tool: 'skill',
    args: { action: 'list' },
    reply: () => ({
      ok: true,
      items: [
        {
          name: 'create-skill',
          description:
            'Create a new skill, or improve one. Use it when the user wants to write, author, package or share a skill (SKILL.md) that teaches agents a procedure.',
        },
      ],
      count: 1,
    }),
  },
  {
    tool: 'skill',
    args: { action: 'load', name: 'create-skill' },
    reply: () => ({ ok: true, name: 'create-skill', content: CREATE_SKILL }),
  },
];

export const skillTables: Readonly<Record<string, Table>> = {
  'skills.use': {
    handrail: cases,
    coder: cases,
    tenas: NOT_PRESENTED,
    clude: NOT_PRESENTED,
    codelab: NOT_PRESENTED,
  },
};
