/**
 * Tells what was changed after a moment from what was changed before it, by times of change, which nobody can forge.
 * The clock of files may stand still for some milliseconds, so the moment counts only once it has moved on.
 */
import { chmodSync, closeSync, fstatSync, openSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** Times of change from here on, in nanoseconds, are of what comes after the fence. */
export type Fence = bigint;

/** Begins to set up a fence with a file of its own; the sooner before it is needed, the less there is to wait. */
export function beginFence(file: string): () => Promise<Fence> {
  closeSync(openSync(file, 'wx', 0o600));
  const before = changedNow(file);
  return async () => {
    for (;;) {
      const now = changedNow(file);
      if (now > before) return now;
      await pause(1);
    }
  };
}

function changedNow(file: string): Fence {
  const fd = openSync(file, 'r');
  try {
    chmodSync(file, 0o600);
    return fstatSync(fd, { bigint: true }).ctimeNs;
  } finally {
    closeSync(fd);
  }
}
