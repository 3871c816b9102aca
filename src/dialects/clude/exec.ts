/** Commands in `clude`: both streams as one, of which the end is kept. */
import { z } from 'zod';
import { type execRun, notesReturn, PLAIN_RUN } from '../../capabilities/exec/run.ts';
import { processRunOrStart } from '../../capabilities/process/run-or-start.ts';
import { PLAIN_START, type processStart } from '../../capabilities/process/start.ts';
import { defineTool } from '../dialect.ts';

const TIMEOUT_MS = 180_000;
const MAX_TIMEOUT_MS = 300_000;
const OUTPUT_BYTES = 1024 * 1024;
const MAX_OUTPUT_BYTES = 5 * 1024 * 1024;

export const runTerminalCmd = defineTool({
  name: 'run_terminal_cmd',
  version: '1.0.0',
  description:
    'Run a command in the workspace and wait for its end, or go on with it in the background. Of long output, the end is kept.',
  args: z.strictObject({
    command: z.string(),
    is_background: z.boolean(),
    timeout_ms: z.int().min(1).max(MAX_TIMEOUT_MS).optional().describe('180,000 by default'),
    max_output_bytes: z.int().min(1).max(MAX_OUTPUT_BYTES).optional().describe('1 MiB by default'),
  }),
  returns: z.object({
    command: z.string(),
    cwd: z.string(),
    exit_code: z.int().optional().describe('124 after a time-out'),
    output: z.string().optional(),
    process_id: z.string().optional().describe('Of one in the background'),
    pid: z.int().optional(),
    truncated: z.literal(true).optional(),
    timed_out: z.literal(true).optional(),
    sandbox: z.string().describe('What kept it from the rest of the machine; C is nothing'),
    notes: notesReturn,
  }),
  operation: processRunOrStart,
  toInput(args) {
    if (args.is_background) return { start: { ...PLAIN_START, command: args.command } };
    return {
      run: {
        ...PLAIN_RUN,
        command: args.command,
        isMerged: true,
        timeoutMs: args.timeout_ms ?? TIMEOUT_MS,
        maxOutputBytes: args.max_output_bytes ?? OUTPUT_BYTES,
        keep: 'tail' as const,
      },
    };
  },
  // However its characters are written in JSON.
  replyBytes: 7 * MAX_OUTPUT_BYTES,
  render: (output) => ('ran' in output ? renderRun(output.ran) : renderStart(output.started)),
});

function renderStart({ process }: z.infer<typeof processStart.output>): unknown {
  const { command, directory, id, pid, sandbox } = process;
  return { command, cwd: directory, process_id: id, pid, sandbox };
}

function renderRun(ran: z.infer<typeof execRun.output>): unknown {
  return {
    command: ran.command,
    cwd: ran.directory,
    exit_code: ran.exitCode,
    output: ran.stdout,
    ...(ran.isTruncated ? { truncated: true } : {}),
    ...(ran.timedOut ? { timed_out: true } : {}),
    sandbox: ran.sandbox,
    ...(ran.notes.length === 0 ? {} : { notes: ran.notes }),
  };
}
