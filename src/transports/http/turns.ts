/** A turn: what it did, entry by entry, and the way back. */
import type { Context } from 'hono';
import { Failure } from '../../failure.ts';
import type { Runtime } from '../../runtime-types.ts';

/** What a turn did to each entry, without what is in them. */
export function showTurn(context: Context, runtime: Runtime): Promise<Response> {
  return tell(context, async (turn) => {
    const entries = await runtime.turnEntries(turn);
    if (entries.length > 0) return entries;
    throw new Failure('E_NOT_FOUND', 'There is no such turn in this workspace.');
  });
}

/** What a turn did to the content of one entry. */
export function showDiff(context: Context, runtime: Runtime): Promise<Response> {
  return tell(context, async (turn) => {
    const diff = await runtime.entryDiff(turn, context.req.query('path') ?? '');
    if (diff !== undefined) return diff;
    throw new Failure('E_NOT_FOUND', 'There is no such entry in a turn of this workspace.');
  });
}

/** What taking a turn back would do, or has done. */
export function undoTurn(
  context: Context,
  runtime: Runtime,
  { dryRun }: { readonly dryRun: boolean },
): Promise<Response> {
  return tell(context, (turn) => runtime.undo({ turn }, { dryRun, by: 'page' }));
}

/** What there is to say about the turn that was asked for. */
async function tell(context: Context, find: (turn: string) => Promise<object>): Promise<Response> {
  try {
    return context.json(await find(context.req.param('id')!));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return context.json({ message: error.message }, error.code === 'E_NOT_FOUND' ? 404 : 409);
  }
}
