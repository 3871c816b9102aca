/** The tables of memory. */
import { expect } from 'vitest';
import type { Runtime } from '../../src/index.ts';
import { cludeResult } from './replies.ts';
import { type Case, NOT_PRESENTED, type Table } from './table.ts';

const ID = expect.stringMatching(/^mem_w_\w{25}$/) as string;

const change: Table = {
  handrail: {
    tool: 'remember',
    args: { title: 'Tests', content: 'Run them with npm test.' },
    reply: () => ({ ok: true, action: 'create', id: ID, title: 'Tests', scope: 'workspace' }),
  },
  coder: NOT_PRESENTED,
  tenas: NOT_PRESENTED,
  clude: {
    tool: 'update_memory',
    args: { action: 'create', title: 'Tests', knowledge_to_store: 'Run them with npm test.' },
    reply: () => cludeResult({ id: ID, action: 'create', title: 'Tests', scope: 'workspace' }),
  },
  codelab: NOT_PRESENTED,
};

const found: Case = {
  tool: 'recall',
  args: async (runtime: Runtime) => {
    await runtime.call('remember', { title: 'Tests', content: 'Run them with npm test.' });
    await runtime.call('remember', { title: 'Style', content: 'Two blanks.' });
    return { query: 'NPM tests' };
  },
  reply: () => ({
    ok: true,
    items: [
      {
        id: ID,
        scope: 'workspace',
        title: 'Tests',
        content: 'Run them with npm test.',
        updated_at: expect.stringMatching(/^\d{4}-/) as string,
      },
    ],
    count: 1,
  }),
};

export const memoryTables: Readonly<Record<string, Table>> = {
  'memory.change': change,
  'memory.find': {
    handrail: found,
    coder: NOT_PRESENTED,
    tenas: NOT_PRESENTED,
    clude: NOT_PRESENTED,
    codelab: NOT_PRESENTED,
  },
};
