/** `task.run`: another agent works on a part of the task, and says in the end what came of it. */
import { z } from 'zod';
import { Failure } from '../../failure.ts';
import { defineOperation } from '../../runtime/operation.ts';

export const taskRun = defineOperation({
  name: 'task.run',
  summary: 'Hands a task to a sub-agent, which may do no more than who hands it over.',
  input: z.strictObject({
    agent: z.string().min(1).describe('Its name'),
    objective: z.string().describe('What it is to do, with all it needs to know'),
  }),
  output: z.strictObject({ agent: z.string(), summary: z.string() }),
  permissions: ['agent.spawn'],
  effect: 'state',
  access: ({ agent }) => [{ permission: 'agent.spawn', resource: agent }],
  preview: async ({ agent, objective }) => ({ kind: 'text', text: `Sub-agent ${agent}:\n${objective}` }),
  async run({ agent, objective }, { agents }) {
    if (objective.trim() === '') throw new Failure('E_INVALID_ARGS', 'The objective is empty.');
    return { agent, summary: await agents.run(agent, objective) };
  },
});
