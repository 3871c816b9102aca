/** Exit codes: 0 fine, 1 the tool failed, 2 wrong use of the command line, 3 denied by the policy or a human. */
import type { Outcome } from '../runtime/spine.ts';

export const FINE = 0;
export const FAILED = 1;
export const WRONG_USE = 2;
export const DENIED = 3;

/** The exit code of a call. */
export function exitCodeOf(outcome: Outcome): number {
  if (outcome === 'ok') return FINE;
  return outcome === 'denied' ? DENIED : FAILED;
}

/** Wrong use of the command line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
