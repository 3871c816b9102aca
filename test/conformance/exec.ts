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
    reply: () => ({ ok: true, data: { output: 'a/\nb.txt' } }),
  },
  clude: NOT_PRESENTED,
  codelab: NOT_PRESENTED,
};

export const execTables: Readonly<Record<string, Table>> = { 'exec.look': execLook, 'exec.run': execRun };
