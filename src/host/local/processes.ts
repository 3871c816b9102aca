/**
 * Runs programs by argument list, each as the leader of its own process group. However a run ends, its
 * whole group is killed, and a process that still holds its pipes can not hold the call.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { Failure } from '../../failure.ts';
import type { Processes, ProcessRequest, ProcessResult } from '../ports.ts';

/** Programs on this machine. */
export function localProcesses(): Processes {
  return { run };
}

/** How long a group may take to end once it was asked to. */
const GRACE_MS = 500;
/** After the exit, output is over once nothing came for this long. */
const QUIET_MS = 100;
/** A process left behind that never stops writing is listened to no longer than this. */
const DRAIN_MS = 1000;
/** A longer timer would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

type Child = ChildProcessByStdio<Writable | null, Readable, Readable> & { readonly pid: number };
type Exit = [code: number, signal: null] | [code: null, signal: NodeJS.Signals];
type Group = ReturnType<typeof processGroup>;
type Output = ReturnType<typeof capture>;

async function run(request: ProcessRequest): Promise<ProcessResult> {
  refuseAborted(request);
  const startedAt = performance.now();
  const child = await start(request);
  const group = processGroup(child.pid);
  const limits = enforceLimits(request, group);
  try {
    const closed = once(child, 'close');
    const output = capture(child, request);
    // A program may end without reading its input; the broken pipe is no trouble then.
    child.stdin?.on('error', () => {}).end(request.stdin);
    const exited = once(child, 'exit') as Promise<Exit>;
    const [code, signal] = await Promise.race([exited, group.unkillable, output.broken]);
    const durationMs = performance.now() - startedAt;
    const timedOut = limits.timedOut();
    await Promise.race([drain(output, closed), output.broken]);
    refuseAborted(request);
    const exitCode = timedOut ? 124 : (code ?? 128 + constants.signals[signal]);
    return { exitCode, timedOut, durationMs, ...output.result() };
  } finally {
    limits.lift();
    group.kill();
    for (const stream of [child.stdout, child.stderr]) stream.destroy();
    child.unref();
  }
}

function refuseAborted({ signal, program }: ProcessRequest): void {
  if (!signal?.aborted) return;
  const message = `The run of ${JSON.stringify(program)} was cancelled.`;
  throw new Failure('E_CANCELLED', message, { cause: signal.reason });
}

async function start(request: ProcessRequest): Promise<Child> {
  try {
    const child = spawn(request.program, request.args, {
      cwd: request.cwd,
      // Node hands its own NODE_V8_COVERAGE down unless the environment has the key; undefined is left out.
      env: { NODE_V8_COVERAGE: undefined, ...request.env },
      stdio: [request.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      detached: true,
      shell: false,
    });
    if (child.pid === undefined) throw (await once(child, 'error'))[0];
    return child as Child;
  } catch (error) {
    throw await startFailure(request, error);
  }
}

async function startFailure({ program, cwd }: ProcessRequest, cause: unknown): Promise<Failure> {
  const code = (cause as NodeJS.ErrnoException).code ?? 'an unknown error';
  const details = { program, reason: code };
  const name = JSON.stringify(program);
  if (!(await canEnter(cwd))) {
    const message = `The program ${name} was not started, because ${JSON.stringify(cwd)} can not be its directory.`;
    return new Failure('E_EXEC', message, { hint: 'Name an existing directory.', details, cause });
  }
  const [message, hint] = START_TROUBLE[code] ?? [
    `could not be started; the operating system answered ${code}.`,
    'The machine may be short of processes or memory; try again later.',
  ];
  return new Failure('E_EXEC', `The program ${name} ${message}`, { hint, details, cause });
}

const START_TROUBLE: Readonly<Record<string, readonly [message: string, hint: string]>> = {
  ENOENT: ['was not found.', 'Check its spelling, its PATH, and the interpreter its first line names.'],
  ENOTDIR: ['was not found.', 'A part of its path is not a directory; check its spelling.'],
  EACCES: ['is not executable.', 'Name a program file, or run a script through its interpreter.'],
  E2BIG: ['was given longer arguments than the system takes.', 'Pass the data through stdin or a file.'],
  ERR_INVALID_ARG_VALUE: [
    'can not be started with an empty name, or a NUL byte in its name, arguments or environment.',
    'Name a program and leave out NUL bytes; pass binary data through stdin or a file.',
  ],
};

/** Spawning reports a bad directory as if the program were missing. */
async function canEnter(directory: string): Promise<boolean> {
  return (await stat(`${directory}/.`).catch(() => undefined)) !== undefined;
}

function processGroup(pid: number) {
  const unkillable = Promise.withResolvers<Exit>();
  let timer: NodeJS.Timeout | undefined;
  const send = (signal: NodeJS.Signals): void => {
    try {
      process.kill(-pid, signal);
    } catch {
      // Nobody is left, or who is left belongs to another user.
    }
  };
  const kill = (): void => {
    clearTimeout(timer);
    send('SIGKILL');
  };
  const insist = (): void => {
    kill();
    // A program that became another user's would otherwise keep the call for ever.
    timer = setTimeout(() => unkillable.resolve([null, 'SIGKILL']), GRACE_MS);
  };
  const end = (): void => {
    if (timer !== undefined) return;
    send('SIGTERM');
    timer = setTimeout(insist, GRACE_MS);
  };
  return { end, kill, unkillable: unkillable.promise };
}

function enforceLimits({ timeoutMs, signal }: ProcessRequest, group: Group) {
  let timedOut = false;
  const onTimeout = (): void => {
    timedOut = true;
    group.end();
  };
  const timer = setTimeout(onTimeout, Math.min(timeoutMs, LONGEST_TIMER_MS));
  signal?.addEventListener('abort', group.end);
  if (signal?.aborted) group.end();
  const lift = (): void => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', group.end);
  };
  return { lift, timedOut: () => timedOut };
}

/** Keeps the start of both streams and reads the rest away, so that the program never blocks on a full pipe. */
function capture(child: Child, { maxOutputBytes, onOutput }: ProcessRequest) {
  const broken = Promise.withResolvers<never>();
  const keep = (name: 'stdout' | 'stderr') => {
    const kept = { chunks: [] as Uint8Array[], seen: 0 };
    child[name].on('error', broken.reject).on('data', (chunk: Buffer) => {
      const part = chunk.subarray(0, Math.max(0, maxOutputBytes - kept.seen));
      kept.seen += chunk.length;
      if (part.length === 0) return;
      kept.chunks.push(part);
      try {
        onOutput?.(name, part);
      } catch (error) {
        broken.reject(error);
      }
    });
    return kept;
  };
  const [stdout, stderr] = [keep('stdout'), keep('stderr')];
  return {
    broken: broken.promise,
    seen: () => stdout.seen + stderr.seen,
    result: () => ({
      stdout: Buffer.concat(stdout.chunks),
      stderr: Buffer.concat(stderr.chunks),
      truncated: { stdout: stdout.seen > maxOutputBytes, stderr: stderr.seen > maxOutputBytes },
    }),
  };
}

async function drain(output: Output, closed: Promise<unknown>): Promise<void> {
  const giveUpAt = performance.now() + DRAIN_MS;
  const quiet = async (): Promise<boolean> => {
    const before = output.seen();
    await pause(QUIET_MS, undefined, { ref: false });
    // Timers come before input in a turn of the event loop: what arrived meanwhile is still to be read.
    await nextTurn();
    return output.seen() === before || performance.now() > giveUpAt;
  };
  const ended = closed.then(() => true);
  while (!(await Promise.race([ended, quiet()])));
}
