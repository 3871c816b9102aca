/** A diagnostic as operations return it, and how two lists of them differ. */
import { z } from 'zod';
import type { Diagnostic } from '../../host/ports.ts';
import { rangeSchema } from './server-answer.ts';

export const diagnosticSchema = z.strictObject({
  range: rangeSchema,
  severity: z.enum(['error', 'warning', 'information', 'hint']),
  message: z.string(),
  code: z.string().optional(),
  source: z.string().optional().describe('Who found it'),
});

/** What is in a list and was not in an earlier one, wherever it stands now; and how many are gone. */
export function differenceTo(
  before: readonly Diagnostic[],
  now: readonly Diagnostic[],
): { added: Diagnostic[]; fixed: number } {
  const known = new Map<string, number>();
  for (const diagnostic of before) known.set(keyOf(diagnostic), (known.get(keyOf(diagnostic)) ?? 0) + 1);
  const added = now.filter((diagnostic) => {
    const left = known.get(keyOf(diagnostic)) ?? 0;
    if (left > 0) known.set(keyOf(diagnostic), left - 1);
    return left === 0;
  });
  return { added, fixed: [...known.values()].reduce((sum, count) => sum + count, 0) };
}

/** Without its place: an edit above moves it. */
function keyOf({ severity, code, source, message }: Diagnostic): string {
  return JSON.stringify([severity, code, source, message]);
}
