/** Commands in `coder`. */
import { z } from 'zod';
import { execRun, notesReturn, PLAIN_RUN } from '../../capabilities/exec/run.ts';
import { defineTool } from '../dialect.ts';

const TIMEOUT_MS = 120_000;
const MAX_OUTPUT_BYTES = 1024 * 1024;

export const bashReturns = z.object({
  ok: z.boolean().describe('Whether it ended with 0'),
  command: z.string(),
  exit_code: z.int().describe('124 after a time-out'),
  stdout: z.string(),
  stderr: z.string(),
  truncated: z.boolean(),
  output_id: z.string().optional().describe('Names the whole output'),
  duration_ms: z.int(),
  sandbox: z.string().describe('What kept it from the rest of the machine; C is nothing'),
  notes: notesReturn,
});

export const bash = defineTool({
  name: 'bash',
  version: '1.0.0',
  description:
    'Run a command with /bin/sh -lc in the workspace. It ends after 120 s; of long output, the first and last parts are kept.',
  args: z.strictObject({ command: z.string() }),
  returns: bashReturns,
  operation: execRun,
  toInput: ({ command }) => ({
    ...PLAIN_RUN,
    command,
    isLogin: true,
    timeoutMs: TIMEOUT_MS,
    maxOutputBytes: MAX_OUTPUT_BYTES,
  }),
  // Both streams must fit, however their characters are written in JSON.
  replyBytes: 13 * MAX_OUTPUT_BYTES,
  render: renderBash,
});

/** Also for dialects that take more arguments. */
export function renderBash(ran: z.infer<typeof execRun.output>): z.infer<typeof bashReturns> {
  // An exit code alone does not say that the command did not end by itself.
  const notes = ran.timedOut ? ['It took longer than it may, and was ended.', ...ran.notes] : ran.notes;
  return {
    ok: ran.exitCode === 0,
    command: ran.command,
    exit_code: ran.exitCode,
    stdout: ran.stdout,
    stderr: ran.stderr,
    truncated: ran.isTruncated,
    ...(ran.outputId === undefined ? {} : { output_id: ran.outputId }),
    duration_ms: ran.durationMs,
    sandbox: ran.sandbox,
    ...(notes.length === 0 ? {} : { notes }),
  };
}
