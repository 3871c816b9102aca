/**
 * A network that the commands of one session are in together: a process that does nothing holds its name space, and
 * others are started in it. Nobody else can reach what listens there.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readlinkSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { Failure } from '../../../failure.ts';
import type { SessionNetwork } from '../../ports.ts';
import { coveredDescriptors } from '../inherited-descriptors.ts';

const STATUS_DESCRIPTOR = 3;

export interface HeldNetwork extends SessionNetwork, Disposable {
  /** The program that enters it. */
  readonly nsenter: string;
}

/** Makes a network with nothing in it but a loopback; gone when disposed, and with this process. */
export async function holdNetwork(bubblewrap: string, nsenter: string): Promise<HeldNetwork> {
  const holder = spawn(
    bubblewrap,
    [
      ['--unshare-user', '--unshare-net', '--unshare-pid', '--unshare-ipc', '--cap-drop', 'ALL'],
      // A /dev of its own would cost a second name space of users, which does not own the network.
      ['--die-with-parent', '--new-session', '--ro-bind', '/', '/'],
      ['--json-status-fd', String(STATUS_DESCRIPTOR), '--', '/bin/sh', '-c', 'echo; read -r _'],
    ].flat(),
    {
      cwd: '/',
      env: { NODE_V8_COVERAGE: undefined },
      stdio: ['pipe', 'pipe', 'ignore', 'pipe', ...coveredDescriptors(STATUS_DESCRIPTOR + 1)],
      detached: true,
    },
  );
  const release = (): void => {
    try {
      process.kill(-holder.pid!, 'SIGKILL');
    } catch {
      // It never was, or is gone.
    }
  };
  try {
    // Before its shell runs, the death of its parent would not be noticed.
    const [pid] = await Promise.all([childPid(holder), firstOf(holder, holder.stdout!)]);
    return { pid, name: nameOf(pid), nsenter, [Symbol.dispose]: release };
  } catch (cause) {
    release();
    throw new Failure('E_EXEC', 'A network for the session could not be made; nothing was run.', { cause });
  }
}

async function childPid(holder: ChildProcess): Promise<number> {
  const status = holder.stdio[STATUS_DESCRIPTOR] as Readable;
  const [, pid] = /"child-pid": (\d+)/.exec(await firstOf(holder, status)) ?? [];
  status.resume();
  if (pid === undefined) throw new Error('bubblewrap did not say which process it made.');
  return Number(pid);
}

async function firstOf(holder: ChildProcess, output: Readable): Promise<string> {
  const ended = once(holder, 'exit').then(() => {
    throw new Error('bubblewrap ended at once.');
  });
  const [said] = (await Promise.race([once(output, 'data'), ended])) as [unknown];
  return String(said);
}

/** The arguments that start what follows them in a network. Root may enter it as it is; others by way of its users. */
export function enteringArguments({ pid }: SessionNetwork): string[] {
  const users = process.getuid?.() === 0 ? [] : ['--user', '--preserve-credentials'];
  return ['--target', String(pid), '--net', ...users, '--'];
}

/** Fails unless a process is in the network it was to be in: the holder's number may be another's by now. */
export function verifyNetwork(pid: string, { name }: SessionNetwork): void {
  if (nameOf(pid) === name) return;
  throw new Failure(
    'E_CONFLICT',
    "The session's network ended before the command was in it; nothing was run.",
    {
      hint: 'Send the call again.',
    },
  );
}

function nameOf(pid: number | string): string {
  return readlinkSync(`/proc/${pid}/ns/net`);
}
