/** Runs ripgrep in a held directory: no config, no environment, no program but itself, ended when nobody wants more. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Failure } from '../../failure.ts';
import type { DirectoryHandle } from './directory-handle.ts';

/** A search that takes longer has to be narrowed. */
const TIMEOUT_MS = 60_000;
const MAX_STDERR_BYTES = 64 * 1024;

/**
 * Hands each chunk of the output to `take` until that says no. Returns what ripgrep complained about, as lines.
 */
export async function runRipgrep(
  directory: DirectoryHandle,
  args: readonly string[],
  signal: AbortSignal,
  take: (chunk: Buffer) => boolean,
): Promise<string[]> {
  signal.throwIfAborted();
  const program = await findProgram();
  const child = spawn(program, ['--no-config', ...args], {
    // The child enters the very directory that is held, whatever its name means by then.
    cwd: directory.entry('.').toString(),
    env: {},
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let hasTimedOut = false;
  const stop = (): boolean => child.kill('SIGKILL');
  const timer = setTimeout(() => (hasTimedOut = stop()), TIMEOUT_MS);
  signal.addEventListener('abort', stop);
  let complaints = '';
  child.stderr.on('data', (chunk: Buffer) => {
    if (complaints.length < MAX_STDERR_BYTES) complaints += chunk.toString();
  });
  child.stdout.on('data', (chunk: Buffer) => {
    if (child.killed || take(chunk)) return;
    stop();
  });
  try {
    await once(child, 'close');
  } catch (cause) {
    throw new Failure('E_EXEC', 'ripgrep could not be started.', { hint: INSTALL_HINT, cause });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
  signal.throwIfAborted();
  if (hasTimedOut) {
    throw new Failure('E_TOOL_TIMEOUT', `The search was ended after ${TIMEOUT_MS / 1_000} s.`, {
      hint: 'Search in a smaller directory, or for something rarer.',
    });
  }
  return complaints.split('\n').filter((line) => line !== '');
}

const INSTALL_HINT = 'Install Handrail again with its optional packages; one of them brings ripgrep.';

/** The binary that comes with the package of this platform; only a search needs it. */
async function findProgram(): Promise<string> {
  try {
    return (await import('@vscode/ripgrep')).rgPath;
  } catch (cause) {
    throw new Failure('E_UNSUPPORTED', 'Searching needs ripgrep, which is not installed.', {
      hint: INSTALL_HINT,
      cause,
    });
  }
}
