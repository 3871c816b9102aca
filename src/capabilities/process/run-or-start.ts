/** `process.run-or-start`: a command to its end or in the background, for tools where an argument says which. */
import { z } from 'zod';
import { defineOperation } from '../../runtime/operation.ts';
import { execRun } from '../exec/run.ts';
import { processStart } from './start.ts';

export const processRunOrStart = defineOperation({
  name: 'process.run-or-start',
  summary: 'Runs a command to its end, or starts it in the background.',
  input: z.union([z.strictObject({ run: execRun.input }), z.strictObject({ start: processStart.input })]),
  output: z.union([
    z.strictObject({ ran: execRun.output }),
    z.strictObject({ started: processStart.output }),
  ]),
  permissions: execRun.permissions,
  effect: 'exec',
  isCaptured: (input) => 'run' in input,
  access: (input, workspace) =>
    'run' in input ? execRun.access(input.run, workspace) : processStart.access(input.start, workspace),
  troubleOf: (output) => ('ran' in output ? execRun.troubleOf?.(output.ran) : undefined),
  preview: (input, context) =>
    'run' in input ? execRun.preview!(input.run, context) : processStart.preview!(input.start, context),
  run: async (input, context) =>
    'run' in input
      ? { ran: await execRun.run(input.run, context) }
      : { started: await processStart.run(input.start, context) },
});
