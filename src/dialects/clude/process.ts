/** Background commands in `clude`. */
import { z } from 'zod';
import { processList } from '../../capabilities/process/list.ts';
import { type ProcessFacts, processId } from '../../capabilities/process/process-facts.ts';
import { processRead } from '../../capabilities/process/read.ts';
import { processStop } from '../../capabilities/process/stop.ts';
import { defineTool } from '../dialect.ts';

const OUTPUT_BYTES = 1024 * 1024;
const MAX_OUTPUT_BYTES = 5 * 1024 * 1024;

const status = {
  process_id: z.string(),
  command: z.string(),
  cwd: z.string(),
  pid: z.int().optional(),
  running: z.boolean(),
  exit_code: z.int().optional(),
};

function statusOf({ id, command, directory, pid, isRunning, exitCode }: ProcessFacts) {
  return {
    process_id: id,
    command,
    cwd: directory,
    pid,
    running: isRunning,
    ...(exitCode === undefined ? {} : { exit_code: exitCode }),
  };
}

export const listProcesses = defineTool({
  name: 'list_processes',
  version: '1.0.0',
  description: 'List background commands of the workspace, running and ended lately.',
  args: z.strictObject({}),
  returns: z.object({
    processes: z.array(
      z.object({ ...status, own: z.boolean().describe('Whether you may read and stop it') }),
    ),
  }),
  operation: processList,
  toInput: () => ({}),
  render: ({ processes }) => ({
    processes: processes.map((process) => ({ ...statusOf(process), own: process.isOwn })),
  }),
});

export const readProcessOutput = defineTool({
  name: 'read_process_output',
  version: '1.0.0',
  description: 'Read what a background command wrote: from a byte on, or the end of it.',
  args: z.strictObject({
    process_id: processId,
    offset: z.int().min(0).optional().describe('The next_offset of the last read'),
    max_output_bytes: z.int().min(1).max(MAX_OUTPUT_BYTES).optional().describe('1 MiB by default'),
  }),
  returns: z.object({
    ...status,
    output: z.string(),
    offset: z.int().describe('Later than asked for where older output is gone'),
    next_offset: z.int(),
  }),
  operation: processRead,
  toInput: (args) => ({
    id: args.process_id,
    position: args.offset,
    maxBytes: args.max_output_bytes ?? OUTPUT_BYTES,
  }),
  replyBytes: 7 * MAX_OUTPUT_BYTES,
  render: ({ process, output }) => ({
    ...statusOf(process),
    output: output.text,
    offset: output.position,
    next_offset: output.next,
  }),
});

export const stopProcess = defineTool({
  name: 'stop_process',
  version: '1.0.0',
  description: 'Stop a background command and everything it started.',
  args: z.strictObject({ process_id: processId }),
  returns: z.object(status),
  operation: processStop,
  toInput: (args) => ({ id: args.process_id }),
  render: ({ process }) => statusOf(process),
});
