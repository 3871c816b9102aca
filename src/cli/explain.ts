/** What went wrong in a command, for a person, and as its exit code. Bugs stay bugs. */
import { Failure } from '../failure.ts';
import { FAILED, UsageError, WRONG_USE } from './exit-code.ts';
import { note } from './print.ts';

/** Says it on stderr; returns the exit code. */
export function explain(error: unknown): number {
  if (error instanceof UsageError) {
    note(`handrail: ${error.message}`);
    return WRONG_USE;
  }
  if (error instanceof Failure) {
    note(`handrail: ${error.message}${error.hint === undefined ? '' : `\n  ${error.hint}`}`);
    return error.code === 'E_INVALID_ARGS' ? WRONG_USE : FAILED;
  }
  throw error;
}
