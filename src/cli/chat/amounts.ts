/** Times and counts as people read them at a glance. */

export function duration(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)}ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1_000).toFixed(1)}s`;
  return elapsed(milliseconds);
}

/** Whole seconds: for a number that changes while it is looked at. */
export function elapsed(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1_000);
  return seconds < 60
    ? `${seconds}s`
    : `${Math.floor(seconds / 60)}m${String(seconds % 60).padStart(2, '0')}s`;
}

/** `950`, `8.2k`, `128k`, `1.2M`. */
export function tokens(count: number): string {
  if (count < 1_000) return String(count);
  if (count < 1_000_000) return `${short(count / 1_000)}k`;
  return `${short(count / 1_000_000)}M`;
}

function short(amount: number): string {
  return amount < 10 ? amount.toFixed(1).replace(/\.0$/, '') : String(Math.round(amount));
}

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
