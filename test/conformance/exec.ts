/** The tables of commands. */
import { expect } from 'vitest';
import { NOT_PRESENTED, type Table } from './table.ts';

const DURATION = expect.any(Number) as number;
const TIER = expect.stringMatching(/^(A|A-|C)$/) as string;

const bash = (command: string) => ({
  ok: false,
  command,
  exit_code: 3,
  stdout: 'out\n',
  stderr: 'err\n',
  truncated: false,
  duration_ms: DURATION,
  sandbox: TIER,
});

const COMMAND = 'echo out; echo err >&2; exit 3';

const execRun: Table = {
  handrail: { tool: 'bash', args: { command: COMMAND }, reply: () => bash(COMMAND) },
  coder: { tool: 'bash', args: { command: COMMAND }, reply: () => bash(COMMAND) },
  tenas: NOT_PRESENTED,
  // As `process.run-or-start`.
  clude: NOT_PRESENTED,
  codelab: {
    tool: 'run_command',
    args: { command: COMMAND, cwd: '.' },
    reply: () => ({
      type: 'tool_result',
      call_id: 'c1',
      result: {
        stdout: 'out\n',
        stderr: 'err\n',
        exit_code: 3,
        duration_ms: DURATION,
        timed_out: false,
        sandbox: TIER,
      },
    }),
  },
};

const execLook: Table = {
  handrail: NOT_PRESENTED,
  coder: NOT_PRESENTED,
  tenas: {
    tool: 'shell-readonly',
    files: { 'b.txt': '', 'a/c.txt': '' },
    args: { command: 'ls' },
    reply: () => ({ ok: true, data: { cmd: 'ls .', output: 'a/\nb.txt' } }),
  },
  clude: NOT_PRESENTED,
  codelab: NOT_PRESENTED,
};

const execPreview: Table = {
  handrail: {
    tool: 'preview_command',
    files: { 'a.txt': 'a\n' },
    args: { command: 'echo b >> a.txt; echo out' },
    reply: () => ({
      id: expect.stringMatching(/^view_/) as string,
      exit_code: 0,
      stdout: 'out\n',
      stderr: '',
      diff: 'It changes 1 entry: 1 updated.\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1,2 @@\n a\n+b',
      changed_total: 1,
    }),
  },
  coder: NOT_PRESENTED,
  tenas: NOT_PRESENTED,
  clude: NOT_PRESENTED,
  codelab: NOT_PRESENTED,
};

const execApply: Table = {
  handrail: {
    tool: 'apply_preview',
    args: { id: 'view_none' },
    reply: () => ({
      ok: false,
      error:
        'There is no preview "view_none" in this session any more. A preview is kept for an hour, and a few in each session. Make it again.',
      code: 'E_NOT_FOUND',
    }),
  },
  coder: NOT_PRESENTED,
  tenas: NOT_PRESENTED,
  clude: NOT_PRESENTED,
  codelab: NOT_PRESENTED,
};

export const execTables: Readonly<Record<string, Table>> = {
  'exec.apply': execApply,
  'exec.look': execLook,
  'exec.preview': execPreview,
  'exec.run': execRun,
};
