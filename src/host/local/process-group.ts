/** The group that a child process leads: asked to end, then killed. */
import { constants } from 'node:os';

export type Exit = [code: number, signal: null] | [code: null, signal: NodeJS.Signals];

export interface ProcessGroup {
  /** Asks, and kills after the grace. */
  readonly end: () => void;
  readonly kill: () => void;
  /** Settles once even killing did not help. */
  readonly unkillable: Promise<Exit>;
}

/** An exit as shells count it. */
export function codeOf([code, signal]: Exit): number {
  return code ?? 128 + constants.signals[signal];
}

/** The group of a child; `terminate` asks it to end, a signal by default. */
export function processGroup(pid: number, graceMs: number, terminate?: () => void): ProcessGroup {
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
    timer = setTimeout(() => unkillable.resolve([null, 'SIGKILL']), graceMs);
  };
  const end = (): void => {
    if (timer !== undefined) return;
    if (terminate === undefined) send('SIGTERM');
    else terminate();
    timer = setTimeout(insist, graceMs);
  };
  return { end, kill, unkillable: unkillable.promise };
}
