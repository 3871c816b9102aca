/** What is wrong with a value from outside, by its field, as a part of a sentence. */
import type { z } from 'zod';

/** `given` is the whole value, which `whole` names. */
export function explainIssue(issue: z.core.$ZodIssue, given: unknown, whole: string): string {
  const field = issue.path.length === 0 ? whole : `"${issue.path.map(String).join('.')}"`;
  const wanted = expectedBy(issue);
  if (wanted !== undefined && issue.path.length > 0 && valueAt(given, issue.path) === undefined)
    return `${field} is missing${wanted}`;
  return `${field}: ${issue.message.replace(/^Invalid input: /, '')}`;
}

function expectedBy(issue: z.core.$ZodIssue): string | undefined {
  if (issue.code === 'invalid_value')
    return ` (expected ${issue.values.map((value) => JSON.stringify(value)).join(' or ')})`;
  if (issue.code !== 'invalid_type') return undefined;
  // Any value would do.
  return issue.expected === 'nonoptional' ? '' : ` (expected ${issue.expected})`;
}

function valueAt(given: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Readonly<Record<PropertyKey, unknown>> | undefined)?.[key],
    given,
  );
}
