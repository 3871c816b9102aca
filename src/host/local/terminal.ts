/** A pseudo terminal: what stands in for the pipes of a program that wants a person's terminal. */
import { closeSync, constants, openSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import { Failure } from '../../failure.ts';

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

export interface Terminal extends Disposable {
  /** What a person would type and see. */
  readonly near: Duplex;
  /** The program's end. */
  readonly far: number;
  /** Lets go of the program's end once the program has it; its output ends when all have. */
  release(): void;
  resize(size: TerminalSize): void;
}

/** What the package opens, as far as it is used here: it has no types for it. */
interface Opened {
  readonly _master: Duplex;
  readonly _slave: Duplex;
  readonly _pty: string;
  resize(columns: number, rows: number): void;
}

interface Package {
  open(size: { cols: number; rows: number; encoding: null }): Opened;
}

/** Opens one; the package for it is optional. */
export async function openTerminal({ columns, rows }: TerminalSize): Promise<Terminal> {
  const opened = (await loadPackage()).open({ cols: columns, rows, encoding: null });
  const { _master: near, _slave, _pty } = opened;
  // Opened anew, since the package reads from its own end, and would take what is typed.
  const far = openSync(_pty, constants.O_RDWR | constants.O_NOCTTY);
  _slave
    .removeAllListeners()
    .on('error', () => {})
    .destroy();
  // Its own listeners throw at the end of every program: that nobody holds the other end is an error to the kernel.
  near
    .removeAllListeners('error')
    .removeAllListeners('close')
    .on('error', () => near.destroy());
  let isHeld = true;
  const release = (): void => {
    if (isHeld) closeSync(far);
    isHeld = false;
  };
  return {
    near,
    far,
    release,
    resize(size) {
      if (!near.destroyed) opened.resize(size.columns, size.rows);
    },
    [Symbol.dispose]() {
      release();
      near.destroy();
    },
  };
}

async function loadPackage(): Promise<Package> {
  try {
    const loaded: unknown = await import('@lydell/node-pty');
    return loaded as Package;
  } catch (error) {
    throw new Failure(
      'E_UNSUPPORTED',
      'Commands can not have a terminal here: the package for it is not installed.',
      {
        hint: 'Run the command without a terminal, or install @lydell/node-pty.',
        cause: error,
      },
    );
  }
}
