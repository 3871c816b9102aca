/** The tables of sub-agents, where no model is configured: what they do with one is shown in `test/agent`. */
import { type Case, NOT_PRESENTED, type Table } from './table.ts';

const task: Case = {
  tool: 'task',
  settings: async () => ({ mode: 'auto' }),
  args: { agent: 'explore', objective: 'Look.' },
  reply: () => ({
    ok: false,
    code: 'E_UNSUPPORTED',
    error:
      'There is no model here that a sub-agent could think with. Do the task yourself, or let the user connect a model: HANDRAIL_MODEL, and the key of its provider.',
  }),
};

const elsewhere = { tenas: NOT_PRESENTED, clude: NOT_PRESENTED, codelab: NOT_PRESENTED } as const;

export const taskTables: Readonly<Record<string, Table>> = {
  'task.run': { handrail: task, coder: task, ...elsewhere },
};
