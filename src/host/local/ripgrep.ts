/** Runs ripgrep in a held directory: no config, no environment, no program but itself, bounded, ended when nobody wants more. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Failure } from '../../failure.ts';
import type { DirectoryHandle } from './directory-handle.ts';
import { SEARCH_MS, tooSlow } from './turns.ts';
import { WaitingLine } from './waiting-line.ts';

/** A line, or a file read as a whole, can be large; a file that never ends must not take the machine's memory. */
const MAX_MEMORY_KILOBYTES = 4 * 1024 * 1024;
const LIMITED = `ulimit -v ${MAX_MEMORY_KILOBYTES}; exec "$0" "$@"`;

/** What ripgrep said about the question itself: only that is ever shown, since lines about files may quote them. */
const ABOUT_THE_QUESTION =
  /^rg: (regex parse error|compiled regex|the literal|pattern contains|error parsing glob|unrecognized)/;

/** Each takes as many threads as there are processors, so more at once are no faster together. */
const MOST_AT_ONCE = 4;
const places = new WaitingLine(MOST_AT_ONCE);

/** Hands each chunk of the output to `take` until that says no. Says how many places could not be read. */
export async function runRipgrep(
  directory: DirectoryHandle,
  args: readonly string[],
  signal: AbortSignal,
  take: (chunk: Buffer) => boolean,
): Promise<{ unreadable: number }> {
  using _place = await places.take(signal);
  signal.throwIfAborted();
  const program = await findProgram();
  const child = spawn('/bin/sh', ['-c', LIMITED, program, '--no-config', ...args], {
    // The child enters the very directory that is held, whatever its name means by then.
    cwd: directory.entry('.').toString(),
    env: {},
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [hasTimedOut, isEnough] = [false, false];
  const stop = (): boolean => child.kill('SIGKILL');
  const timer = setTimeout(() => (hasTimedOut = stop()), SEARCH_MS);
  signal.addEventListener('abort', stop);
  const complaints = new Complaints();
  createInterface({ input: child.stderr }).on('line', (line) => complaints.add(line));
  child.stdout.on('data', (chunk: Buffer) => {
    if (!isEnough && !take(chunk)) isEnough = stop();
  });
  try {
    const [, endedBy] = (await once(child, 'close')) as [number | null, string | null];
    signal.throwIfAborted();
    if (hasTimedOut) throw tooSlow();
    if (endedBy !== null && !isEnough) throw cutShort();
  } catch (error) {
    if (error instanceof Error && 'syscall' in error)
      throw new Failure('E_EXEC', 'ripgrep could not be started.', { hint: INSTALL_HINT, cause: error });
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
  return { unreadable: complaints.unreadable() };
}

/** Counts what could not be read, and keeps what was wrong with the question. */
class Complaints {
  #places = 0;
  #question: string[] = [];

  add(line: string): void {
    if (this.#question.length > 0 || ABOUT_THE_QUESTION.test(line)) {
      if (this.#question.length < MAX_EXPLANATION_LINES) this.#question.push(line);
    } else if (line.includes('(os error ')) this.#places++;
  }

  unreadable(): number {
    if (this.#question.length === 0) return this.#places;
    const advice = this.#question.findIndex((line) => line.startsWith('Consider enabling'));
    const said = advice === -1 ? this.#question : this.#question.slice(0, advice);
    throw new Failure(
      'E_INVALID_ARGS',
      said.join('\n').trim().replace(/^rg: /, 'The pattern can not be used: '),
      {
        hint: 'The pattern is a regular expression without look-around and backreferences.',
      },
    );
  }
}

const MAX_EXPLANATION_LINES = 20;

function cutShort(): Failure {
  return new Failure('E_IO', 'The search program was ended before it was done, perhaps for want of memory.', {
    hint: 'Search in a smaller directory, or leave out very large files.',
  });
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
