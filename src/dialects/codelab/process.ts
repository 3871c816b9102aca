/** Processes that outlive their call, in `codelab`. */
import { z } from 'zod';
import { processId } from '../../capabilities/process/process-facts.ts';
import { PLAIN_START, processStart } from '../../capabilities/process/start.ts';
import { processStop } from '../../capabilities/process/stop.ts';
import { defineTool } from '../dialect.ts';

export const runPersistent = defineTool({
  name: 'run_persistent',
  version: '1.0.0',
  description:
    'Start a shell command that goes on, such as a development server, under a name of your choice.',
  args: z.strictObject({
    command: z.string(),
    process_id: processId.describe('Its name, for kill_process'),
  }),
  returns: z.object({
    process_id: z.string(),
    pid: z.int(),
    sandbox: z.string().describe('What keeps it from the rest of the machine; C is nothing'),
  }),
  operation: processStart,
  toInput: (args) => ({ ...PLAIN_START, command: args.command, name: args.process_id }),
  render: ({ process }) => ({ process_id: process.name, pid: process.pid, sandbox: process.sandbox }),
});

export const killProcess = defineTool({
  name: 'kill_process',
  version: '1.0.0',
  description: 'Stop a process that run_persistent started, with everything it started.',
  args: z.strictObject({ process_id: processId }),
  returns: z.object({ process_id: z.string(), success: z.boolean(), exit_code: z.int().optional() }),
  operation: processStop,
  toInput: (args) => ({ id: args.process_id }),
  render: ({ process }) => ({
    process_id: process.name ?? process.id,
    success: !process.isRunning,
    ...(process.exitCode === undefined ? {} : { exit_code: process.exitCode }),
  }),
});
