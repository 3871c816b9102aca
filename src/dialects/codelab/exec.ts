/** Commands in `codelab`. */
import { z } from 'zod';
import { execRun, notesReturn, PLAIN_RUN, timeoutSeconds } from '../../capabilities/exec/run.ts';
import { defineTool } from '../dialect.ts';

const TIMEOUT_SECONDS = 60;
const MAX_TIMEOUT_SECONDS = 300;
const MAX_OUTPUT_BYTES = 512 * 1024;

export const runCommand = defineTool({
  name: 'run_command',
  version: '1.0.0',
  description: 'Run a shell command in the workspace, or in a directory of it, and wait for its end.',
  args: z.strictObject({
    command: z.string(),
    cwd: z.string().optional().describe('The workspace by default'),
    timeout: timeoutSeconds(TIMEOUT_SECONDS, MAX_TIMEOUT_SECONDS),
  }),
  returns: z.object({
    stdout: z.string(),
    stderr: z.string(),
    exit_code: z.int().describe('124 after a time-out'),
    duration_ms: z.int(),
    timed_out: z.boolean(),
    truncated: z.literal(true).optional(),
    sandbox: z.string().describe('What kept it from the rest of the machine; C is nothing'),
    notes: notesReturn,
  }),
  operation: execRun,
  toInput: (args, workspace) => ({
    ...PLAIN_RUN,
    command: args.command,
    directory: workspace.path(args.cwd || '.'),
    timeoutMs: (args.timeout ?? TIMEOUT_SECONDS) * 1000,
    maxOutputBytes: MAX_OUTPUT_BYTES,
  }),
  replyBytes: 13 * MAX_OUTPUT_BYTES,
  render: (ran) => ({
    stdout: ran.stdout,
    stderr: ran.stderr,
    exit_code: ran.exitCode,
    duration_ms: ran.durationMs,
    timed_out: ran.timedOut,
    ...(ran.isTruncated ? { truncated: true } : {}),
    sandbox: ran.sandbox,
    ...(ran.notes.length === 0 ? {} : { notes: ran.notes }),
  }),
});
