/** Texts that no search can look for. */
import { Failure } from '../../failure.ts';

const MAX_CHARACTERS = 10_000;

/** Refuses a pattern that is empty, too long, or no text. */
export function refuseUnsearchable(pattern: string): void {
  if (pattern === '') throw unsearchable('it is empty');
  if (pattern.length > MAX_CHARACTERS) throw unsearchable(`it has over ${MAX_CHARACTERS} characters`);
  if (pattern.includes('\0') || !pattern.isWellFormed())
    throw unsearchable('it holds a character that no text file can');
}

function unsearchable(why: string): Failure {
  return new Failure('E_INVALID_ARGS', `The pattern can not be searched for: ${why}.`);
}
