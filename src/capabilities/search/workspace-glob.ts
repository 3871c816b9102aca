/** The rules for a pattern that a caller gives: relative, and never out of the workspace. */
import { Failure } from '../../failure.ts';

/** Refuses what can't be a pattern of workspace paths; returns it otherwise. */
export function workspaceGlob(pattern: string): string {
  if (pattern.trim() === '') throw new Failure('E_INVALID_ARGS', 'The glob pattern is empty.');
  if (/^(\/|\\\\|[a-z]:[\\/])/i.test(pattern)) {
    throw new Failure('E_INVALID_PATH', 'An absolute glob pattern is not allowed.', {
      hint: 'Write it relative to the workspace.',
    });
  }
  if (pattern.includes('\0') || !pattern.isWellFormed())
    throw new Failure('E_INVALID_PATH', 'The glob pattern holds a character that no file name can.');
  if (pattern.split('/').includes('..')) {
    throw new Failure('E_OUTSIDE_WORKSPACE', 'A glob pattern must not go up by `..`.', {
      hint: 'Write it relative to the workspace.',
    });
  }
  return pattern;
}
