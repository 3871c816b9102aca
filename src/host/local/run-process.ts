/**
 * Runs a program by argument list, as the leader of its own process group. However a run ends, its whole group is
 * killed, and a process that still holds its pipes can not hold the call.
 */
import { once } from 'node:events';
import type { Duplex, Readable } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { Failure } from '../../failure.ts';
import type { CommandRequest, CommandResult, OutputStream } from '../ports.ts';
import { keptOutput } from './kept-output.ts';
import { type Child, type ChildRequest, pipesOf, spawnChild } from './child-process.ts';
import { codeOf, type Exit, processGroup, type ProcessGroup } from './process-group.ts';

type Output = Pick<CommandRequest, 'maxOutputBytes' | 'keep' | 'spool' | 'onOutput'>;

export interface ProcessRequest extends ChildRequest, Output {
  readonly stdin?: string | Uint8Array | undefined;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export type ProcessResult = Pick<
  CommandResult,
  'exitCode' | 'stdout' | 'stderr' | 'truncated' | 'totalBytes' | 'timedOut' | 'durationMs'
>;

/** How long its group may take to end once it was asked to. */
const GRACE_MS = 500;
/** After the exit, output is over once nothing came for this long. */
const QUIET_MS = 100;
/** A process left behind that never stops writing is listened to no longer than this. */
const DRAIN_MS = 1000;
/** A longer timer would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

type Captured = ReturnType<typeof capture>;

/** Runs a program to its end. */
export async function runProcess(request: ProcessRequest): Promise<ProcessResult> {
  refuseAborted(request);
  const startedAt = performance.now();
  const child = await spawnChild(request, request.stdin !== undefined);
  const group = processGroup(child.pid, GRACE_MS, request.terminate);
  const limits = enforceLimits(request, group);
  try {
    const closed = request.terminal === undefined ? once(child, 'close') : ended(request.terminal.near);
    const output = capture(child, request);
    giveInput(child, request);
    const exited = once(child, 'exit') as Promise<Exit>;
    const begun = request.onStart?.(pipesOf(child));
    const broken = Promise.race([output.broken, failureOf(begun)]);
    const exit = await Promise.race([exited, group.unkillable, broken]);
    const durationMs = performance.now() - startedAt;
    const timedOut = limits.timedOut();
    await Promise.race([drain(output, closed), broken]);
    refuseAborted(request);
    const exitCode = timedOut ? 124 : codeOf(exit);
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

function refuseAborted({ signal }: ProcessRequest): void {
  if (signal?.aborted) throw new Failure('E_CANCELLED', 'The call was cancelled.', { cause: signal.reason });
}

function enforceLimits({ timeoutMs, signal }: ProcessRequest, group: ProcessGroup) {
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
