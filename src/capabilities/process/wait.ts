/** `process.wait`: until a background process says something, listens to a port, or ends. */
import { z } from 'zod';
import { defineOperation } from '../../runtime/operation.ts';
import { awaited, waitFor, waitOutcome } from './awaited.ts';
import { factsOf, processFacts, processId } from './process-facts.ts';

export const processWait = defineOperation({
  name: 'process.wait',
  summary: 'Waits for text, a port or the end of a background process.',
  input: awaited.extend({
    id: processId,
    position: z.int().min(0).describe('Where text is looked for from'),
  }),
  output: z.strictObject({
    process: processFacts,
    waited: waitOutcome.describe('ended: it is gone, and what was waited for did not come'),
    line: z.string().optional().describe('The line with the text'),
  }),
  permissions: [],
  effect: 'read',
  access: () => [],
  async run({ id, position, ...what }, { processes }) {
    const { outcome, line } = await waitFor(processes, id, what, position);
    return {
      process: factsOf(await processes.find(id)),
      waited: outcome,
      ...(line === undefined ? {} : { line }),
    };
  },
});
