/** Commands in `handrail`: `coder`'s, with what a model may ask for besides. */
import { z } from 'zod';
import { execApply } from '../../capabilities/exec/apply.ts';
import { execPreview } from '../../capabilities/exec/preview.ts';
import { execRun, notesReturn, PLAIN_RUN, timeoutSeconds } from '../../capabilities/exec/run.ts';
import { bashReturns, renderBash } from '../coder/exec.ts';
import { defineTool } from '../dialect.ts';

const TIMEOUT_SECONDS = 120;
const MAX_TIMEOUT_SECONDS = 3_600;
/** What a model reads; the rest is paged. */
const MAX_OUTPUT_BYTES = 30_000;

const TERMINAL = { columns: 120, rows: 40 };

export const bash = defineTool({
  name: 'bash',
  version: '1.0.0',
  description:
    'Run a command with /bin/sh in a sandbox: it writes in the workspace and /tmp, and reaches no network unless granted. Of long output, the first and last parts are shown.',
  args: z.strictObject({
    command: z.string(),
    cwd: z.string().optional().describe('Workspace root by default'),
    timeout: timeoutSeconds(TIMEOUT_SECONDS, MAX_TIMEOUT_SECONDS),
    stdin: z.string().optional(),
    tty: z.boolean().optional().describe('Run it in a terminal'),
    network: z
      .array(z.string().min(1))
      .optional()
      .describe('Hosts to reach; @npm, @pypi, @crates, @go, @github for theirs'),
    outside_sandbox: z.boolean().optional().describe('Only where it can not work inside; a human decides'),
  }),
  returns: bashReturns.extend({
    changed: z.array(z.string()).optional().describe('The first entries that it changed'),
    changed_total: z.int().optional(),
    undo: z.enum(['exact', 'part', 'none']).optional().describe('How much of that undo takes back'),
  }),
  operation: execRun,
  toInput: (args, workspace) => ({
    ...PLAIN_RUN,
    command: args.command,
    directory: workspace.path(args.cwd || '.'),
    timeoutMs: (args.timeout ?? TIMEOUT_SECONDS) * 1000,
    maxOutputBytes: MAX_OUTPUT_BYTES,
    hosts: args.network ?? [],
    isOutside: args.outside_sandbox ?? false,
    stdin: args.stdin,
    ...(args.tty === true ? { terminal: TERMINAL } : {}),
  }),
  replyBytes: 13 * MAX_OUTPUT_BYTES,
  render: (ran) => ({ ...renderBash(ran), ...renderChanges(ran) }),
});

const MAX_CHANGED = 20;

function renderChanges({ changed, changedTotal, undo }: z.infer<typeof execRun.output>): object {
  if (changedTotal === 0 && undo === 'exact') return {};
  const shown = changed.slice(0, MAX_CHANGED).map(({ path, change }) => `${change} ${path}`);
  return { changed: shown, changed_total: changedTotal, undo };
}

export const previewCommand = defineTool({
  name: 'preview_command',
  version: '1.0.0',
  description:
    'Run a command on a copy of the workspace and see the diff of what it would change. Nothing is changed; `apply_preview` then makes exactly these changes.',
  args: z.strictObject({
    command: z.string(),
    cwd: z.string().optional().describe('Workspace root by default'),
    timeout: timeoutSeconds(TIMEOUT_SECONDS, MAX_TIMEOUT_SECONDS),
  }),
  returns: z.object({
    id: z.string().optional().describe('For apply_preview'),
    exit_code: z.int(),
    stdout: z.string(),
    stderr: z.string(),
    diff: z.string(),
    changed_total: z.int(),
    notes: notesReturn,
  }),
  operation: execPreview,
  toInput: (args, workspace) => {
    const { isOutside: _outside, ...plain } = PLAIN_RUN;
    return {
      ...plain,
      command: args.command,
      directory: workspace.path(args.cwd || '.'),
      timeoutMs: (args.timeout ?? TIMEOUT_SECONDS) * 1000,
      maxOutputBytes: MAX_OUTPUT_BYTES,
    };
  },
  replyBytes: 13 * MAX_OUTPUT_BYTES,
  render: ({ id, exitCode, stdout, stderr, diff, isDiffCut, changedTotal, notes }) => ({
    ...(id === undefined ? {} : { id }),
    exit_code: exitCode,
    stdout,
    stderr,
    diff: isDiffCut ? `${diff}\n[cut]` : diff,
    changed_total: changedTotal,
    ...(notes.length === 0 ? {} : { notes }),
  }),
});

export const applyPreview = defineTool({
  name: 'apply_preview',
  version: '1.0.0',
  description: 'Make the changes of a preview; its command is not run again.',
  args: z.strictObject({ id: z.string() }),
  returns: z.object({ changed: z.array(z.string()), changed_total: z.int(), notes: notesReturn }),
  operation: execApply,
  toInput: ({ id }) => ({ id }),
  render: ({ changed, changedTotal, notes }) => ({
    changed: changed.slice(0, MAX_CHANGED).map(({ path, change }) => `${change} ${path}`),
    changed_total: changedTotal,
    ...(notes.length === 0 ? {} : { notes }),
  }),
});
