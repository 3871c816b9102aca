/** What a request to connect asks for: a session, a role in it, and where to go on. */
import * as z from 'zod';

/** Who makes calls and talks to the agent, or who runs tools for it. */
export type Role = 'client' | 'ide';

const wanted = z.object({
  session: z.string().regex(/^[\w.:-]{1,100}$/),
  role: z.enum(['client', 'ide']).default('client'),
  dialect: z.string().min(1).max(100).optional(),
  project: z.string().min(1).max(200).optional(),
  after: z.coerce.number().pipe(z.int().min(0)).optional(),
});

export type Wanted = z.output<typeof wanted>;

/** Reads it; a sentence where something is wrong with it. */
export function readWanted(session: string, query: Readonly<Record<string, string>>): Wanted | string {
  const parsed = wanted.safeParse({ ...query, session });
  if (parsed.success) return parsed.data;
  const [field] = parsed.error.issues[0]!.path;
  return field === 'session'
    ? 'INVALID_SESSION: a session is 1 to 100 letters, digits and . _ : -'
    : `${String(field)} is not what /ws takes.`;
}
