/** `process.resize`: the size of a background process's terminal. */
import { z } from 'zod';
import { defineOperation } from '../../runtime/operation.ts';
import { processId } from './process-facts.ts';

const MOST = 1_000;

export const processResize = defineOperation({
  name: 'process.resize',
  summary: "Changes the size of a background process's terminal.",
  input: z.strictObject({
    id: processId,
    columns: z.int().min(1).max(MOST),
    rows: z.int().min(1).max(MOST),
  }),
  output: z.strictObject({ id: processId }),
  permissions: ['state.write'],
  effect: 'state',
  access: ({ id }) => [{ permission: 'state.write', resource: id }],
  async run({ id, columns, rows }, { processes }) {
    await processes.resize(id, columns, rows);
    return { id };
  },
});
