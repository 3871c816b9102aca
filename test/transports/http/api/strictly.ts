/** Schemas as the document writes them: what they do not name may not be there. */
import * as z from 'zod';

/** The same schema, strict at every depth. */
export function strictly(schema: z.ZodType): z.ZodType {
  return z.fromJSONSchema(z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }));
}
