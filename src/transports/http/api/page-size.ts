/** How much of a list is wanted. */
import * as z from 'zod';

/** A number in a query. */
export function pageSize(most: number, usual: number): z.ZodDefault<z.ZodCoercedNumber> {
  return z.coerce.number().int().min(1).max(most).default(usual);
}
