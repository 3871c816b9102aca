/** `process.list`: the background processes of the workspace, running and ended lately. */
import { z } from 'zod';
import { defineOperation } from '../../runtime/operation.ts';
import { factsOf, processFacts } from './process-facts.ts';

export const processList = defineOperation({
  name: 'process.list',
  summary: 'Lists background processes.',
  input: z.strictObject({}),
  output: z.strictObject({
    processes: z.array(
      processFacts.extend({ isOwn: z.boolean().describe('Whether this session can do something about it') }),
    ),
  }),
  permissions: [],
  effect: 'read',
  access: () => [],
  async run(_input, { processes }) {
    const all = await processes.list();
    return { processes: all.map((process) => ({ ...factsOf(process), isOwn: process.isOwn })) };
  },
});
