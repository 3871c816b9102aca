/** Descriptors that Handrail got from whoever started it, and that every child would get too: a way out of any sandbox. */
import { openSync, readdirSync, readFileSync } from 'node:fs';

const FIRST = 3;
const CLOSE_ON_EXEC = 0o2000000;

let found: readonly number[] | undefined;
let nothing: number | undefined;

/** What stands from `from` on in the list of a child's descriptors, so that it gets nothing in place of inherited ones. */
export function coveredDescriptors(from: number): (number | 'ignore')[] {
  found ??= inherited();
  const last = found.at(-1) ?? 0;
  if (last < from) return [];
  nothing ??= openSync('/dev/null', 'r');
  return Array.from({ length: last - from + 1 }, (_, index) =>
    found!.includes(from + index) ? nothing! : 'ignore',
  );
}

/** Node closes all of its own for a child. */
function inherited(): number[] {
  try {
    return readdirSync('/proc/self/fdinfo')
      .map(Number)
      .filter((descriptor) => descriptor >= FIRST && isPassedOn(descriptor))
      .sort((one, other) => one - other);
  } catch {
    return [];
  }
}

function isPassedOn(descriptor: number): boolean {
  try {
    const [, flags = '0'] =
      /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8')) ?? [];
    return (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
  } catch {
    return false;
  }
}
