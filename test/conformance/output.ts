/** The table of paging through what did not fit. */
import { expect } from 'vitest';
import { NOT_PRESENTED, type Table } from './table.ts';

const MANY = Array.from({ length: 800 }, (_, index) => `${String(index).padStart(3, '0')}${'x'.repeat(200)}`);

const outputPage: Table = {
  handrail: {
    tool: 'read_output',
    files: Object.fromEntries(MANY.map((name) => [name, ''])),
    args: async (runtime) => {
      const { reply } = await runtime.call('list', {});
      return { output_id: (reply as { output_id: string }).output_id, offset: 798, limit: 1 };
    },
    reply: () => ({
      ok: true,
      part: [expect.objectContaining({ name: MANY[798], path: MANY[798] })],
      offset: 798,
      total: 800,
      has_more: true,
    }),
  },
  coder: NOT_PRESENTED,
  tenas: NOT_PRESENTED,
  clude: NOT_PRESENTED,
  codelab: NOT_PRESENTED,
};

export const outputTables: Readonly<Record<string, Table>> = { 'output.page': outputPage };
