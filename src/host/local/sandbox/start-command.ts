/** A command that goes on after its start. Once it has ended, nothing that it started is left, nor is anything of its sandbox. */
import { once } from 'node:events';
import { type Duplex, PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '../../../failure.ts';
import type { Confinement, RunningCommand, StartRequest } from '../../ports.ts';
import { type Child, pipesOf, spawnChild } from '../child-process.ts';
import { codeOf, type Exit, processGroup } from '../process-group.ts';
import { openTerminal, type Terminal } from '../terminal.ts';
import type { PreparedRun, Sandbox } from './sandbox.ts';

/** How long it may take to end once it was asked to. */
const GRACE_MS = 2_000;
/** What somebody who got away still writes, or nobody reads, is waited for no longer than this. */
const DRAIN_MS = 1_000;

export interface StartedCommand extends RunningCommand {
  /** Ends it at once. */
  kill(): void;
}

/** Starts a command in a sandbox; it runs when this returns. */
export async function startCommand(
  sandbox: Sandbox,
  confinement: Confinement,
  request: StartRequest,
): Promise<StartedCommand> {
  refuseAborted(request);
  using ends = new DisposableStack();
  using stack = new DisposableStack();
  const { terminal: size, signal } = request;
  const terminal = size === undefined ? undefined : ends.use(await openTerminal(size));
  const run = stack.use(sandbox.prepare({ ...request, confinement, hasTerminal: terminal !== undefined }));
  const child = await spawnChild({ ...run.process, terminal }, true);
  const streams = streamsOf(child, terminal);
  const group = processGroup(child.pid, GRACE_MS, run.process.terminate);
  signal.addEventListener('abort', group.end);
  stack.defer(() => {
    signal.removeEventListener('abort', group.end);
    group.kill();
  });
  const exit = Promise.race([once(child, 'exit') as Promise<Exit>, group.unkillable]);
  ends.defer(() => {
    for (const stream of child.stdio) stream?.destroy();
  });
  await begin(run, exit, { pipes: pipesOf(child), stderr: streams.stderr });
  refuseAborted(request);
  const [held, heldEnds] = [stack.move(), ends.move()];
  const exited = exit.then(async (ended) => {
    held.dispose();
    await run.settled().catch(() => undefined);
    await Promise.race([streams.closed, pause(DRAIN_MS, undefined, { ref: false })]);
    heldEnds.dispose();
    return { exitCode: codeOf(ended) };
  });
  return {
    pid: child.pid,
    stdin: streams.stdin,
    stdout: streams.stdout,
    stderr: streams.stderr,
    tier: sandbox.report.tier,
    exited,
    hosts: () => run.hosts(),
    resize: (columns, rows) => terminal?.resize({ columns, rows }),
    kill: () => held.dispose(),
    async stop() {
      group.end();
      await exited;
    },
  };
}

/** Waits until the command itself runs; fails where it never will. */
async function begin(
  run: PreparedRun,
  exit: Promise<Exit>,
  { pipes, stderr }: { readonly pipes: readonly Duplex[]; readonly stderr: Readable },
): Promise<void> {
  const begun = run.process.onStart?.(pipes) ?? Promise.resolve();
  const hasBegun = await Promise.race([begun.then(() => true), exit.then(() => false)]);
  if (hasBegun) return;
  const written = await Promise.race([text(stderr), pause(DRAIN_MS, '', { ref: false })]);
  const whyNot = run.whyNotStarted(written);
  if (whyNot !== undefined) throw whyNot;
}

function streamsOf(child: Child, terminal: Terminal | undefined) {
  const stdin = terminal?.near ?? child.stdin!;
  // It may end without reading its input; the broken pipe is no trouble then.
  stdin.on('error', () => {});
  const sources = terminal === undefined ? [child.stdout!, child.stderr!] : [terminal.near];
  const closed = Promise.all(sources.map(closing));
  const [stdout, stderr = Readable.from([])] = sources.map(taken);
  return { stdin, stdout: stdout!, stderr, closed };
}

function closing(stream: Readable): Promise<void> {
  return new Promise((resolve) => void stream.once('close', resolve));
}

/** Node throws away what was not read by the end of a child, and a terminal's end is an error to the kernel. */
function taken(source: Readable): Readable {
  const target = new PassThrough();
  source.on('error', () => {}).once('close', () => target.end());
  return source.pipe(target);
}

function refuseAborted({ signal, program }: StartRequest): void {
  if (!signal.aborted) return;
  const message = `The start of ${JSON.stringify(program)} was cancelled.`;
  throw new Failure('E_CANCELLED', message, { cause: signal.reason });
}
