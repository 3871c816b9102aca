/** Processes that are easy to find, and hard to end. */
import { readdirSync, readFileSync } from 'node:fs';

/** A sleep that nobody else sleeps, and whether anybody still does. */
export function ownSleep(): { readonly line: string; readonly sleepers: () => string[] } {
  const seconds = `32${Math.floor(Math.random() * 1e9)}.5`;
  const isAsleep = (pid: string): boolean => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8') === `sleep\0${seconds}\0`;
    } catch {
      return false;
    }
  };
  const sleepers = () => readdirSync('/proc').filter(isAsleep);
  return {
    line: `sleep ${seconds}`,
    sleepers,
  };
}

/** Ignores what asks it to end, and has a child that left its group and session; both sleep. */
export function stubborn(sleep: string): string {
  return `trap '' TERM; (setsid sh -c "trap '' TERM; ${sleep}" &); echo up; ${sleep}; ${sleep}`;
}
