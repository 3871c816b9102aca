/**
 * Calls of a session that somebody else runs, such as an editor on the same workspace: decided, asked about and recorded
 * here, done there. What was done there is not seen, so undo knows nothing of it.
 */
import { z } from 'zod';
import { Failure } from '../failure.ts';
import type { ChangeEffect } from '../journal/change-rows.ts';
import { isChange, type ResolvedAccess } from '../policy/access.ts';
import type { Tool } from './tool.ts';

/** A call that was decided, as its tool's arguments say it. */
export interface HandedCall {
  /** The caller's id for it. */
  readonly id: string;
  readonly tool: string;
  readonly args: unknown;
  readonly signal: AbortSignal;
}

/** Runs a call; gives the tool's own result, or fails. */
export type RunElsewhere = (call: HandedCall) => Promise<unknown>;

/** The result as the tool promises it; a field may be missing, for others know less of it, but none may be another thing. */
export function checkedResult({ name, returns }: Tool, given: unknown): unknown {
  const promised = returns instanceof z.ZodObject ? returns.partial() : returns;
  const parsed = promised.safeParse(given);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new Failure('E_EXEC', `${name} was run elsewhere, and its result is not one: ${issues.join('; ')}.`);
}

/** What may have been changed there. */
export function effectsElsewhere(accesses: readonly ResolvedAccess[]): ChangeEffect[] {
  return accesses
    .filter(({ permission }) => isChange(permission))
    .map(({ permission, resolved: path }) => ({
      path,
      change: permission === 'fs.delete' ? 'deleted' : 'updated',
      reversible: false,
    }));
}
