/** The tables of background processes. */
import { expect } from 'vitest';
import type { Runtime } from '../../src/index.ts';
import { NOT_PRESENTED, type Table } from './table.ts';

const ID = expect.stringMatching(/^proc_\w{25}$/) as string;
const NUMBER = expect.any(Number) as number;
const TIER = expect.stringMatching(/^(A|A-|C)$/) as string;
const COMMAND = 'echo up; sleep 300';

const clude = (payload: object, more: object = {}) => ({
  tool_call_id: 'c1',
  ok: true,
  payload,
  error: null,
  ...more,
  duration_ms: NUMBER,
});
const codelab = (result: object) => ({ type: 'tool_result', call_id: 'c1', result });

/** Starts one, waits until it has written, and gives its id under a name. */
function started(as: 'id' | 'process_id', tool: string, args: object) {
  return async (runtime: Runtime): Promise<object> => {
    const { rendered } = await runtime.call(tool, args);
    const { id, process_id: other } = rendered as { id?: string; process_id?: string };
    return { [as]: id ?? other };
  };
}

const inHandrail = started('id', 'run_background', { command: COMMAND, wait_text: 'up' });
const inClude = started('process_id', 'run_terminal_cmd', { command: COMMAND, is_background: true });

const start: Table = {
  handrail: {
    tool: 'run_background',
    args: { command: COMMAND, wait_text: 'u*' },
    reply: () => ({
      ok: true,
      id: ID,
      command: COMMAND,
      running: true,
      pid: NUMBER,
      sandbox: TIER,
      waited: 'met',
      output: 'up\n',
      next: 3,
    }),
  },
  coder: NOT_PRESENTED,
  tenas: NOT_PRESENTED,
  clude: NOT_PRESENTED,
  codelab: {
    tool: 'run_persistent',
    args: { command: COMMAND, process_id: 'dev_server' },
    reply: () => codelab({ process_id: 'dev_server', pid: NUMBER, sandbox: TIER }),
  },
};

const runOrStart: Table = {
  handrail: NOT_PRESENTED,
  coder: NOT_PRESENTED,
  tenas: NOT_PRESENTED,
  clude: [
    {
      tool: 'run_terminal_cmd',
      args: { command: 'echo out; echo err >&2; exit 3', is_background: false },
      reply: () => ({
        ...clude(
          {
            command: 'echo out; echo err >&2; exit 3',
            cwd: '.',
            exit_code: 3,
            output: 'out\nerr\n',
            sandbox: TIER,
          },
          { artifacts: { commands_run: ['echo out; echo err >&2; exit 3'] } },
        ),
        ok: false,
        error: { code: 'E_EXEC', message: 'The command ended with exit code 3.' },
      }),
    },
    {
      tool: 'run_terminal_cmd',
      args: { command: COMMAND, is_background: true },
      reply: () =>
        clude(
          { command: COMMAND, cwd: '.', process_id: ID, pid: NUMBER, sandbox: TIER },
          {
            artifacts: {
              commands_run: [COMMAND],
              processes_started: [{ id: ID, pid: NUMBER, command: COMMAND }],
            },
          },
        ),
    },
  ],
  codelab: NOT_PRESENTED,
};

const CLUDE_RUNNING = { process_id: ID, command: COMMAND, cwd: '.', pid: NUMBER, running: true };

const list: Table = {
  handrail: {
    tool: 'list_processes',
    args: async (runtime) => {
      await inHandrail(runtime);
      return {};
    },
    reply: () => ({
      ok: true,
      processes: [
        {
          id: ID,
          command: COMMAND,
          running: true,
          own: true,
          kept: false,
          started_at: expect.stringMatching(/^\d{4}-.*Z$/) as string,
        },
      ],
    }),
  },
  coder: NOT_PRESENTED,
  tenas: NOT_PRESENTED,
  clude: {
    tool: 'list_processes',
    args: async (runtime) => {
      await inClude(runtime);
      return {};
    },
    reply: () => clude({ processes: [{ ...CLUDE_RUNNING, own: true }] }),
  },
  codelab: NOT_PRESENTED,
};

const read: Table = {
  handrail: {
    tool: 'read_process',
    args: async (runtime) => ({ ...(await inHandrail(runtime)), from: 1 }),
    reply: () => ({ ok: true, id: ID, command: COMMAND, running: true, output: 'p\n', next: 3 }),
  },
  coder: NOT_PRESENTED,
  tenas: NOT_PRESENTED,
  clude: {
    tool: 'read_process_output',
    args: async (runtime) => ({ ...(await inClude(runtime)), offset: 99 }),
    reply: () => clude({ ...CLUDE_RUNNING, output: '', offset: NUMBER, next_offset: NUMBER }),
  },
  codelab: NOT_PRESENTED,
};

const write: Table = {
  handrail: {
    tool: 'write_process',
    args: async (runtime) => ({ ...(await inHandrail(runtime)), text: 'typed\n' }),
    reply: () => ({ ok: true, id: ID, bytes: 6 }),
  },
  coder: NOT_PRESENTED,
  tenas: NOT_PRESENTED,
  clude: NOT_PRESENTED,
  codelab: NOT_PRESENTED,
};

const stop: Table = {
  handrail: {
    tool: 'stop_process',
    args: inHandrail,
    reply: () => ({
      ok: true,
      id: ID,
      command: COMMAND,
      running: false,
      exit_code: 143,
      ended_by: 'stopped',
    }),
  },
  coder: NOT_PRESENTED,
  tenas: NOT_PRESENTED,
  clude: {
    tool: 'stop_process',
    args: inClude,
    reply: () => clude({ ...CLUDE_RUNNING, running: false, exit_code: 143 }),
  },
  codelab: {
    tool: 'kill_process',
    args: started('process_id', 'run_persistent', { command: COMMAND, process_id: 'dev_server' }),
    reply: () => codelab({ process_id: 'dev_server', success: true, exit_code: 143 }),
  },
};

const forward: Table = {
  handrail: {
    tool: 'forward_port',
    args: async (runtime) => ({ ...(await inHandrail(runtime)), port: 4567 }),
    reply: () => ({ ok: true, url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/$/) as string }),
  },
  coder: NOT_PRESENTED,
  tenas: NOT_PRESENTED,
  clude: NOT_PRESENTED,
  codelab: NOT_PRESENTED,
};

const nowhere: Table = {
  handrail: NOT_PRESENTED,
  coder: NOT_PRESENTED,
  tenas: NOT_PRESENTED,
  clude: NOT_PRESENTED,
  codelab: NOT_PRESENTED,
};

export const processTables: Readonly<Record<string, Table>> = {
  'process.forward': forward,
  'process.list': list,
  'process.read': read,
  'process.resize': nowhere,
  'process.run-or-start': runOrStart,
  'process.start': start,
  'process.stop': stop,
  'process.wait': nowhere,
  'process.write': write,
};
