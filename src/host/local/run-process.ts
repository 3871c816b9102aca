/**
 * Runs a program by argument list, as the leader of its own process group. However a run ends, its whole group is
 * killed, and a process that still holds its pipes can not hold the call.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { constants } from 'node:os';
import type { Duplex, Readable, Writable } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { Failure } from '../../failure.ts';
import type { CommandRequest, CommandResult, OutputStream } from '../ports.ts';
import { coveredDescriptors } from './inherited-descriptors.ts';
import { keptOutput } from './kept-output.ts';
import type { Terminal } from './terminal.ts';

type Output = Pick<CommandRequest, 'maxOutputBytes' | 'keep' | 'spool' | 'onOutput'>;

export interface ProcessRequest extends Output {
  readonly program: string;
  readonly args: readonly string[];
  /** An absolute directory. */
  readonly cwd: string;
  /** All of its environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly stdin?: string | Uint8Array | undefined;
  /** In place of the three pipes; what it shows counts as stdout. */
  readonly terminal?: Terminal | undefined;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Descriptors from 3 on; a `pipe` goes both ways. */
  readonly descriptors?: readonly (number | 'pipe')[];
  /** Called with the pipes once the program was started; where it fails, the run does. */
  readonly onStart?: (pipes: readonly Duplex[]) => Promise<void>;
  /** Asks the program to end; a signal to its group by default. */
  readonly terminate?: () => void;
}

export type ProcessResult = Pick<
  CommandResult,
  'exitCode' | 'stdout' | 'stderr' | 'truncated' | 'totalBytes' | 'timedOut' | 'durationMs'
>;

/** How long a group may take to end once it was asked to. */
const GRACE_MS = 500;
/** After the exit, output is over once nothing came for this long. */
const QUIET_MS = 100;
/** A process left behind that never stops writing is listened to no longer than this. */
const DRAIN_MS = 1000;
/** A longer timer would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const FIRST_PIPE = 3;

type Child = ChildProcess & {
  readonly pid: number;
  readonly stdin: Writable | null;
  readonly stdout: Readable | null;
  readonly stderr: Readable | null;
};
type Exit = [code: number, signal: null] | [code: null, signal: NodeJS.Signals];
type Group = ReturnType<typeof processGroup>;
type Captured = ReturnType<typeof capture>;

/** Runs a program to its end. */
export async function runProcess(request: ProcessRequest): Promise<ProcessResult> {
  refuseAborted(request);
  const startedAt = performance.now();
  const child = await start(request);
  const group = processGroup(child.pid, request.terminate);
  const limits = enforceLimits(request, group);
  try {
    const closed = request.terminal === undefined ? once(child, 'close') : ended(request.terminal.near);
    const output = capture(child, request);
    giveInput(child, request);
    const exited = once(child, 'exit') as Promise<Exit>;
    const begun = request.onStart?.(child.stdio.slice(FIRST_PIPE) as Duplex[]);
    const broken = Promise.race([output.broken, failureOf(begun)]);
    const [code, signal] = await Promise.race([exited, group.unkillable, broken]);
    const durationMs = performance.now() - startedAt;
    const timedOut = limits.timedOut();
    await Promise.race([drain(output, closed), broken]);
    refuseAborted(request);
    const exitCode = timedOut ? 124 : (code ?? 128 + constants.signals[signal]);
    return { exitCode, timedOut, durationMs, ...output.result() };
  } catch (error) {
    // Whatever broke while it was being ended, that it was cancelled is what counts.
    refuseAborted(request);
    throw error;
  } finally {
    limits.lift();
    group.kill();
    for (const stream of child.stdio) stream?.destroy();
    child.unref();
  }
}

function giveInput({ stdin }: Child, request: ProcessRequest): void {
  // Whoever reads a terminal to its end waits for this key.
  const END_OF_INPUT = '\u0004';
  request.terminal?.near.write(request.stdin ?? '');
  request.terminal?.near.write(END_OF_INPUT);
  // A program may end without reading its input; the broken pipe is no trouble then.
  stdin?.on('error', () => {}).end(request.stdin);
}

function ended(near: Duplex): Promise<void> {
  return new Promise((resolve) => void near.once('close', resolve));
}

/** Never settles but by failing. */
function failureOf(begun: Promise<void> | undefined): Promise<never> {
  return new Promise((_resolve, reject) => void begun?.catch(reject));
}

function refuseAborted({ signal, program }: ProcessRequest): void {
  if (!signal?.aborted) return;
  const message = `The run of ${JSON.stringify(program)} was cancelled.`;
  throw new Failure('E_CANCELLED', message, { cause: signal.reason });
}

async function start(request: ProcessRequest): Promise<Child> {
  const { descriptors = [], terminal } = request;
  try {
    const child = spawn(request.program, request.args, {
      cwd: request.cwd,
      // Node hands its own NODE_V8_COVERAGE down unless the environment has the key; undefined is left out.
      env: { NODE_V8_COVERAGE: undefined, ...request.env },
      stdio: [
        terminal?.far ?? (request.stdin === undefined ? 'ignore' : 'pipe'),
        terminal?.far ?? 'pipe',
        terminal?.far ?? 'pipe',
        ...descriptors,
        ...coveredDescriptors(FIRST_PIPE + descriptors.length),
      ],
      detached: true,
      shell: false,
    });
    if (child.pid === undefined) throw (await once(child, 'error'))[0];
    terminal?.release();
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

function processGroup(pid: number, terminate?: () => void) {
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
    if (terminate === undefined) send('SIGTERM');
    else terminate();
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

/** Reads both streams away, whatever is kept of them, so that the program never blocks on a full pipe. */
function capture(child: Child, { terminal, maxOutputBytes, keep, spool, onOutput }: ProcessRequest) {
  const broken = Promise.withResolvers<never>();
  let room = spool?.maxBytes ?? 0;
  const listen = (name: OutputStream, stream: Readable | null | undefined) => {
    const kept = keptOutput(maxOutputBytes, keep);
    const take = (chunk: Buffer): void => {
      kept.add(chunk);
      if (room > 0) spool!.file.append(chunk.subarray(0, room));
      room -= Math.min(room, chunk.length);
      onOutput?.(name, chunk);
    };
    // A terminal's end is an error to the kernel.
    if (terminal === undefined) stream?.on('error', broken.reject);
    stream?.on('data', (chunk: Buffer) => {
      try {
        take(chunk);
      } catch (error) {
        broken.reject(error);
      }
    });
    return kept;
  };
  const [stdout, stderr] = [listen('stdout', terminal?.near ?? child.stdout), listen('stderr', child.stderr)];
  return {
    broken: broken.promise,
    seen: () => stdout.total + stderr.total,
    result: () => ({
      stdout: stdout.bytes(),
      stderr: stderr.bytes(),
      truncated: { stdout: stdout.isTruncated, stderr: stderr.isTruncated },
      totalBytes: { stdout: stdout.total, stderr: stderr.total },
    }),
  };
}

async function drain(output: Captured, closed: Promise<unknown>): Promise<void> {
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
