/** Looks at arguments before anything else does: how large and how deep they are. Iterative, so that depth can't hurt. */
import { Failure } from '../failure.ts';

const MAX_BYTES = 8 * 1024 * 1024;
const MAX_DEPTH = 64;
const MAX_VALUES = 100_000;

/** The failure of arguments that are too much to look at, or undefined. */
export function unusableArguments(args: unknown): Failure | undefined {
  let bytes = 0;
  let values = 0;
  const pending: { value: unknown; depth: number }[] = [{ value: args, depth: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, depth } = next;
    if (depth > MAX_DEPTH) return refused(`The arguments are nested deeper than ${MAX_DEPTH} levels.`);
    if (++values > MAX_VALUES) return refused(`The arguments hold more than ${MAX_VALUES} values.`);
    bytes += typeof value === 'string' ? value.length : 8;
    if (bytes > MAX_BYTES) return refused(`The arguments are larger than ${MAX_BYTES / 1024 / 1024} MiB.`);
    if (typeof value !== 'object' || value === null) continue;
    for (const key in value) {
      bytes += key.length;
      pending.push({ value: (value as Record<string, unknown>)[key], depth: depth + 1 });
    }
  }
  return undefined;
}

function refused(message: string): Failure {
  return new Failure('E_INVALID_ARGS', message, { hint: 'Send less at once.' });
}
