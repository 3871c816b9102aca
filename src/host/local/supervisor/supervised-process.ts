/** One process under supervision: its log, its input, its end. When it has ended, nothing of it is left but the log. */
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '../../../failure.ts';
import type { ProcessEnding, RunningCommand, StateDirectory } from '../../ports.ts';
import { pinRoot } from '../root.ts';
import { localCommands } from '../sandbox/commands.ts';
import { privateFolders } from '../sandbox/private-folders.ts';
import type { HeldNetwork } from '../sandbox/session-network.ts';
import { outputTold } from './output-told.ts';
import { processLog } from './process-log.ts';
import type { StartGiven } from './protocol.ts';
import type { SessionNetworks } from './session-networks.ts';

export interface SupervisedParts {
  readonly state: StateDirectory;
  readonly networks: SessionNetworks;
  readonly now: () => number;
  /** Hears the newest output now and then. */
  readonly onOutput: (bytes: Buffer, position: number) => void;
}

export interface SupervisedProcess {
  readonly running: RunningCommand;
  readonly network: HeldNetwork | undefined;
  /** Aborted once it has ended. */
  readonly gone: AbortSignal;
  /** Settles once nothing of it is left. */
  readonly ended: Promise<ProcessEnding>;
  /** Called whenever it wrote something, and at its end, until the result is called. */
  onChange(listener: () => void): () => void;
  write(text: string, isLast: boolean): void;
  stop(by: ProcessEnding['by']): Promise<void>;
}

/** As much as this may come in a window of time; a process that writes more is made to wait. */
const WINDOW_MS = 100;
const WINDOW_BYTES = 2 * 1024 * 1024;
/** What came before its end is taken in this time. */
const DRAIN_MS = 2_000;
/** What it has not read of its input; more is refused. */
const MAX_INPUT_BYTES = 1024 * 1024;
const END_OF_INPUT = '\u0004';

/** Starts it, confined as was decided. */
export async function superviseProcess(
  given: StartGiven,
  { state, networks, now, onOutput }: SupervisedParts,
): Promise<SupervisedProcess> {
  const { id, workspace, session, isKept, surroundings } = given;
  using stack = new DisposableStack();
  const root = stack.use(pinRoot(workspace, surroundings.home));
  const own = { ...surroundings, state: state.path, leavesTemporary: true };
  const commands = stack.use(localCommands(root, own));
  const joined = await joinNetwork(given, networks, () => commands.openNetwork(), stack);
  // What outlives its session has temporary files of its own.
  if (isKept) stack.use(privateFolders(state.path, root.roots[0])).temporary(id);
  const confinement =
    given.confinement === 'none'
      ? 'none'
      : { ...given.confinement, session: isKept ? id : session, network: joined };
  const gone = new AbortController();
  const signal = new AbortController().signal;
  const running = await commands.start({ ...given, confinement, mark: id, signal });
  const log = stack.use(processLog(state, id));
  const told = stack.use(outputTold(onOutput));
  const listeners = new Set<() => void>();
  const changed = (): void => {
    for (const listener of listeners) listener();
  };
  const taken = takeOutput([running.stdout, running.stderr], (chunk) => {
    told.add(chunk, log.end);
    log.append(chunk);
    changed();
  });
  let endedBy: ProcessEnding['by'] = 'itself';
  const held = stack.move();
  const ended = running.exited.then(async ({ exitCode }): Promise<ProcessEnding> => {
    await Promise.race([taken, pause(DRAIN_MS)]);
    const hosts = running.hosts().reached;
    held.dispose();
    gone.abort();
    changed();
    return { at: now(), by: endedBy, exitCode, hosts };
  });
  return {
    running,
    network: joined,
    gone: gone.signal,
    ended,
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    write: (text, isLast) => write(running, text, { isLast, isTerminal: given.terminal !== undefined }),
    async stop(by) {
      endedBy = by;
      await running.stop();
    },
  };
}

async function joinNetwork(
  { confinement, workspace, session }: StartGiven,
  networks: SessionNetworks,
  open: Parameters<SessionNetworks['use']>[1],
  stack: DisposableStack,
): Promise<HeldNetwork | undefined> {
  if (confinement === 'none') return undefined;
  return stack.use(await networks.use(JSON.stringify([workspace, session]), open)).network;
}

/** Takes all output, at a pace that leaves the machine to others. */
function takeOutput(streams: readonly Readable[], take: (chunk: Buffer) => void): Promise<unknown> {
  let bytes = 0;
  let timer: NodeJS.Timeout | undefined;
  const goOn = (): void => {
    [bytes, timer] = [0, undefined];
    for (const stream of streams) stream.resume();
  };
  for (const stream of streams) {
    stream.on('error', () => {});
    stream.on('data', (chunk: Buffer) => {
      try {
        take(chunk);
      } catch {
        // A full disk must not end the process; what can't be kept is not counted either.
      }
      timer ??= setTimeout(goOn, WINDOW_MS).unref();
      bytes += chunk.length;
      if (bytes > WINDOW_BYTES) for (const other of streams) other.pause();
    });
  }
  return Promise.all(streams.map((stream) => new Promise((resolve) => stream.once('close', resolve))));
}

function write(
  { stdin }: RunningCommand,
  text: string,
  { isLast, isTerminal }: { readonly isLast: boolean; readonly isTerminal: boolean },
): void {
  if (!stdin.writable) {
    throw new Failure('E_CONFLICT', 'The process takes no more input.', {
      hint: 'Its input was closed, or it has ended.',
    });
  }
  if (stdin.writableLength + Buffer.byteLength(text) > MAX_INPUT_BYTES) {
    throw new Failure('E_TOO_LARGE', 'The process has not read what it was sent before.', {
      hint: 'Look at its output: it may wait for something else.',
    });
  }
  stdin.write(text);
  if (isLast && isTerminal) stdin.write(END_OF_INPUT);
  else if (isLast) stdin.end();
}
