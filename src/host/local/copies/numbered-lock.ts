/**
 * One process at a time in a folder. Whoever makes the file with the next number holds it; the highest number stays when
 * it is let go, so that no number is made twice and nobody takes a lock for a dead one's that is somebody else's by then.
 */
import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '../../../failure.ts';
import type { ProcessTable } from '../../ports.ts';
import { errnoOf } from '../os-failure.ts';

export interface HeldLock extends Disposable {
  /** Whether the process that had it died with it. */
  readonly wasAbandoned: boolean;
}

const NAME = /^lock-(\d+)$/;
const LOOK_AGAIN_MS = 20;
/** Copying a whole workspace for the first time takes its time. */
const PATIENCE_MS = 120_000;

/** Waits until the folder is free, and holds it until disposed. */
export async function holdFolder(
  folder: string,
  processes: ProcessTable,
  signal?: AbortSignal,
): Promise<HeldLock> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const end = performance.now() + PATIENCE_MS;
  while (performance.now() < end) {
    signal?.throwIfAborted();
    const held = tryToHold(folder, processes);
    if (held !== undefined) return held;
    await pause(LOOK_AGAIN_MS);
  }
  throw new Failure('E_IO', 'Another process of Handrail has been copying this workspace for too long.', {
    hint: 'Wait for its command to start, or stop it.',
  });
}

function tryToHold(folder: string, processes: ProcessTable): HeldLock | undefined {
  const last = highest(folder);
  const owner = ownerOf(folder, last);
  if (owner !== '' && processes.isAlive(owner)) return undefined;
  const own = last + 1;
  // Somebody may have been here and gone since the look: then there are higher numbers, and this one is nobody's.
  if (!make(folder, own, processes.self)) return undefined;
  if (highest(folder) !== own) {
    rmSync(fileOf(folder, own), { force: true });
    return undefined;
  }
  for (const number of numbersIn(folder)) if (number < own) rmSync(fileOf(folder, number), { force: true });
  return { wasAbandoned: owner !== '', [Symbol.dispose]: () => letGo(folder, own) };
}

/** With its content from the first moment on; false where it is there already. */
function make(folder: string, number: number, owner: string): boolean {
  const written = join(folder, `unnumbered-${randomUUID()}`);
  try {
    writeFileSync(written, owner, { mode: 0o600, flag: 'wx' });
    linkSync(written, fileOf(folder, number));
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(written, { force: true });
  }
}

function letGo(folder: string, number: number): void {
  try {
    truncateSync(fileOf(folder, number));
  } catch (error) {
    // All of it was cleaned away meanwhile.
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
}

/** Nothing where nobody has it. */
function ownerOf(folder: string, number: number): string {
  try {
    return readFileSync(fileOf(folder, number), 'utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return '';
    throw error;
  }
}

function highest(folder: string): number {
  return Math.max(0, ...numbersIn(folder));
}

function numbersIn(folder: string): number[] {
  return readdirSync(folder).flatMap((name) => {
    const [, number] = NAME.exec(name) ?? [];
    return number === undefined ? [] : [Number(number)];
  });
}

function fileOf(folder: string, number: number): string {
  return join(folder, `lock-${number}`);
}
