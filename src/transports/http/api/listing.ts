/** Which of a list is wanted, and how much of it: the words of a query that lists share. */
import * as z from 'zod';
import type { RouteContext } from './route.ts';

export const workspaces = z
  .enum(['all', 'own'])
  .default('own')
  .describe("Every workspace, or the request's own");

/** The only workspace that is wanted, where it is one. */
export function rootIn(wanted: 'all' | 'own', { runtime }: RouteContext): string | undefined {
  return wanted === 'all' ? undefined : runtime.workspace.root;
}

export const milliseconds = z.coerce.number().int().nonnegative();

export function pageSize(most: number, usual: number): z.ZodDefault<z.ZodCoercedNumber> {
  return z.coerce.number().int().min(1).max(most).default(usual);
}
