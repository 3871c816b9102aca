/** Background commands in `handrail`. */
import { z } from 'zod';
import { processForward } from '../../capabilities/process/forward.ts';
import { processList } from '../../capabilities/process/list.ts';
import { type ProcessFacts, processId } from '../../capabilities/process/process-facts.ts';
import { processRead } from '../../capabilities/process/read.ts';
import { PLAIN_START, processStart } from '../../capabilities/process/start.ts';
import { processStop } from '../../capabilities/process/stop.ts';
import { processWrite } from '../../capabilities/process/write.ts';
import { defineTool } from '../dialect.ts';

const MAX_OUTPUT_BYTES = 30_000;
const WAIT_SECONDS = 30;
const MAX_WAIT_SECONDS = 600;
const TERMINAL = { columns: 120, rows: 40 };

const waiting = {
  wait_text: z.string().optional().describe('Wait until a line has this; * is anything'),
  wait_port: z.int().min(1).max(65_535).optional().describe('Wait until something listens to it'),
  timeout: z.int().min(1).max(MAX_WAIT_SECONDS).optional().describe('Seconds to wait, 30 by default'),
};

interface Waiting {
  readonly wait_text?: string | undefined;
  readonly wait_port?: number | undefined;
  readonly wait_exit?: boolean | undefined;
  readonly timeout?: number | undefined;
}

function waitOf({ wait_text: text, wait_port: port, wait_exit: exit, timeout }: Waiting) {
  if (text === undefined && port === undefined && exit !== true) return {};
  return { wait: { text, port, timeoutMs: (timeout ?? WAIT_SECONDS) * 1000 } };
}

const facts = {
  id: z.string(),
  command: z.string(),
  running: z.boolean(),
  exit_code: z.int().optional(),
  ended_by: z.string().optional(),
};

function shownFacts({ id, command, isRunning, exitCode, endedBy }: ProcessFacts) {
  return {
    id,
    command,
    running: isRunning,
    ...(exitCode === undefined ? {} : { exit_code: exitCode }),
    ...(endedBy === undefined ? {} : { ended_by: endedBy }),
  };
}

const output = {
  waited: z.enum(['met', 'ended', 'timed-out']).optional(),
  output: z.string(),
  next: z.int().describe('Where to read on'),
};

export const runBackground = defineTool({
  name: 'run_background',
  version: '1.0.0',
  description:
    'Start a command that goes on, such as a server; like bash otherwise. Later commands reach its ports on localhost. It ends with the session.',
  args: z.strictObject({
    command: z.string(),
    cwd: z.string().optional(),
    tty: z.boolean().optional(),
    network: z.array(z.string().min(1)).optional(),
    outside_sandbox: z.boolean().optional(),
    keep: z.boolean().optional().describe('Let it go on after the session'),
    ...waiting,
  }),
  returns: z.object({ ok: z.literal(true), ...facts, ...output, pid: z.int(), sandbox: z.string() }),
  operation: processStart,
  toInput: (args, workspace) => ({
    ...PLAIN_START,
    command: args.command,
    directory: workspace.path(args.cwd || '.'),
    hosts: args.network ?? [],
    isOutside: args.outside_sandbox ?? false,
    isKept: args.keep ?? false,
    ...(args.tty === true ? { terminal: TERMINAL } : {}),
    ...waitOf(args),
    maxOutputBytes: MAX_OUTPUT_BYTES,
  }),
  replyBytes: 7 * MAX_OUTPUT_BYTES,
  render: ({ process, waited, output: part }) => ({
    ok: true,
    ...shownFacts(process),
    pid: process.pid,
    sandbox: process.sandbox,
    ...(waited === undefined ? {} : { waited }),
    output: part.text,
    next: part.next,
  }),
});

export const listProcesses = defineTool({
  name: 'list_processes',
  version: '1.0.0',
  description: 'List background commands of the workspace.',
  args: z.strictObject({}),
  returns: z.object({
    ok: z.literal(true),
    processes: z.array(z.object({ ...facts, own: z.boolean(), kept: z.boolean(), started_at: z.string() })),
  }),
  operation: processList,
  toInput: () => ({}),
  render: ({ processes }) => ({
    ok: true,
    processes: processes.map((process) => ({
      ...shownFacts(process),
      own: process.isOwn,
      kept: process.isKept,
      started_at: new Date(process.startedAt).toISOString(),
    })),
  }),
});

export const readProcess = defineTool({
  name: 'read_process',
  version: '1.0.0',
  description: 'Read what a background command wrote, from a position or the end; may wait first.',
  args: z.strictObject({
    id: processId,
    from: z.int().min(0).optional().describe('The last next'),
    ...waiting,
    wait_exit: z.boolean().optional().describe('Wait until it ends'),
  }),
  returns: z.object({
    ok: z.literal(true),
    ...facts,
    ...output,
    skipped: z.int().optional().describe('Bytes that are no longer kept'),
  }),
  operation: processRead,
  toInput: (args) => ({
    id: args.id,
    position: args.from,
    maxBytes: MAX_OUTPUT_BYTES,
    ...waitOf(args),
  }),
  replyBytes: 7 * MAX_OUTPUT_BYTES,
  render: ({ process, waited, output: part, skipped }) => ({
    ok: true,
    ...shownFacts(process),
    ...(waited === undefined ? {} : { waited }),
    output: part.text,
    next: part.next,
    ...(skipped === 0 ? {} : { skipped }),
  }),
});

export const writeProcess = defineTool({
  name: 'write_process',
  version: '1.0.0',
  description: 'Type into a background command.',
  args: z.strictObject({
    id: processId,
    text: z.string(),
    end: z.boolean().optional().describe('Close its input after it'),
  }),
  returns: z.object({ ok: z.literal(true), id: z.string(), bytes: z.int() }),
  operation: processWrite,
  toInput: (args) => ({ id: args.id, text: args.text, isLast: args.end ?? false }),
  render: (written) => ({ ok: true, ...written }),
});

export const stopProcess = defineTool({
  name: 'stop_process',
  version: '1.0.0',
  description: 'Stop a background command and all it started.',
  args: z.strictObject({ id: processId }),
  returns: z.object({ ok: z.literal(true), ...facts }),
  operation: processStop,
  toInput: (args) => ({ id: args.id }),
  render: ({ process }) => ({ ok: true, ...shownFacts(process) }),
});

export const forwardPort = defineTool({
  name: 'forward_port',
  version: '1.0.0',
  description: "Open a background command's port on 127.0.0.1 of the user's machine, for their browser.",
  args: z.strictObject({ id: processId, port: z.int().min(1).max(65_535) }),
  returns: z.object({ ok: z.literal(true), url: z.string() }),
  operation: processForward,
  toInput: (args) => args,
  render: ({ port }) => ({ ok: true, url: `http://127.0.0.1:${port}/` }),
});
