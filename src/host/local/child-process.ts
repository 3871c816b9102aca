/** A child process by argument list, the leader of its own process group, with a terminal or pipes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import type { Duplex, Readable, Writable } from 'node:stream';
import { Failure } from '../../failure.ts';
import { coveredDescriptors } from './inherited-descriptors.ts';
import type { Terminal } from './terminal.ts';

export interface ChildRequest {
  readonly program: string;
  readonly args: readonly string[];
  /** An absolute directory. */
  readonly cwd: string;
  /** All of its environment. */
  readonly env: Readonly<Record<string, string>>;
  /** In place of the three pipes; what it shows counts as stdout. */
  readonly terminal?: Terminal | undefined;
  /** Descriptors from 3 on; a `pipe` goes both ways. */
  readonly descriptors?: readonly (number | 'pipe')[];
  /** Called with the pipes once the program was started; where it fails, the run does. */
  readonly onStart?: (pipes: readonly Duplex[]) => Promise<void>;
  /** Asks the program to end; a signal to its group by default. */
  readonly terminate?: () => void;
}

export type Child = ChildProcess & {
  readonly pid: number;
  readonly stdin: Writable | null;
  readonly stdout: Readable | null;
  readonly stderr: Readable | null;
};

const FIRST_PIPE = 3;

/** What a child was given besides its standard streams. */
export function pipesOf(child: Child): readonly Duplex[] {
  return child.stdio.slice(FIRST_PIPE) as Duplex[];
}

/** Starts a program; its standard input is a pipe where it is to get any. */
export async function spawnChild(request: ChildRequest, hasInput: boolean): Promise<Child> {
  const { descriptors = [], terminal } = request;
  try {
    const child = spawn(request.program, request.args, {
      cwd: request.cwd,
      // Node hands its own NODE_V8_COVERAGE down unless the environment has the key; undefined is left out.
      env: { NODE_V8_COVERAGE: undefined, ...request.env },
      stdio: [
        terminal?.far ?? (hasInput ? 'pipe' : 'ignore'),
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

async function startFailure({ program, cwd }: ChildRequest, cause: unknown): Promise<Failure> {
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
