/** Sub-agents in `coder`. */
import { z } from 'zod';
import { taskRun } from '../../capabilities/task/run.ts';
import { defineTool } from '../dialect.ts';

export const task = defineTool({
  name: 'task',
  version: '1.0.0',
  description:
    'Hand a part of the work to a sub-agent and get its summary: `explore` finds things out, `general` does tasks of several steps. It knows only the objective; independent tasks go into one answer.',
  args: z.strictObject({
    agent: z.string().min(1),
    objective: z.string().describe('Everything it needs to know'),
  }),
  returns: z.object({ ok: z.literal(true), agent: z.string(), summary: z.string() }),
  operation: taskRun,
  toInput: (args) => args,
  render: ({ agent, summary }) => ({ ok: true, agent, summary }),
});
