/** `process.stop`: ends a background process and all it started; one that has ended stays so. */
import { z } from 'zod';
import { defineOperation } from '../../runtime/operation.ts';
import { factsOf, processFacts, processId } from './process-facts.ts';

export const processStop = defineOperation({
  name: 'process.stop',
  summary: 'Ends a background process and all it started.',
  input: z.strictObject({ id: processId }),
  output: z.strictObject({ process: processFacts }),
  permissions: ['state.write'],
  effect: 'state',
  access: ({ id }) => [{ permission: 'state.write', resource: id }],
  run: async ({ id }, { processes }) => ({ process: factsOf(await processes.stop(id)) }),
});
