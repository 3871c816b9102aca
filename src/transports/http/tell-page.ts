/** How the page is answered: JSON, and a sentence where something is wrong. */
import type { Context } from 'hono';
import { Failure, type FailureCode } from '../../failure.ts';

const STATUS: Partial<Record<FailureCode, 400 | 404>> = { E_INVALID_ARGS: 400, E_NOT_FOUND: 404 };

/** What there is to say about the question or the turn that was asked for. */
export async function tellPage(context: Context, find: (id: string) => Promise<object>): Promise<Response> {
  try {
    return context.json(await find(context.req.param('id')!));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return context.json({ message: error.message }, STATUS[error.code] ?? 409);
  }
}
