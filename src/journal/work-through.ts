/** Many entries are changed, one after the other; what goes wrong with one does not keep the others from it. */
import { Failure } from '../failure.ts';

/** Does the work for every path, in order; returns what went wrong. */
export async function workThrough(
  paths: readonly string[],
  work: (path: string) => Promise<unknown>,
): Promise<Map<string, Failure>> {
  const failures = new Map<string, Failure>();
  for (const path of paths) {
    try {
      await work(path);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      failures.set(path, error);
    }
  }
  return failures;
}
