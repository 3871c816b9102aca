/** The tables of the list of things to do. */
import { expect } from 'vitest';
import type { Runtime } from '../../src/index.ts';
import { type Case, NOT_PRESENTED, type Table } from './table.ts';

const SESSION = expect.stringMatching(/^ses_\w{25}$/) as string;
const TODOS = [
  { content: 'look', status: 'completed', priority: 'high' },
  { content: 'mend', status: 'in_progress', priority: 'low' },
];
const reply = () => ({
  ok: true,
  session_id: SESSION,
  items: TODOS.map((todo, index) => ({ id: String(index + 1), ...todo })),
  count: 2,
  in_progress: 1,
});

const written: Case = { tool: 'todowrite', args: { todos: TODOS }, reply };
const read: Case = {
  tool: 'todoread',
  args: async (runtime: Runtime) => {
    await runtime.call('todowrite', { todos: TODOS });
    return {};
  },
  reply,
};

const elsewhere = { tenas: NOT_PRESENTED, clude: NOT_PRESENTED, codelab: NOT_PRESENTED } as const;

export const todoTables: Readonly<Record<string, Table>> = {
  'todo.read': { handrail: read, coder: read, ...elsewhere },
  'todo.write': { handrail: written, coder: written, ...elsewhere },
};
