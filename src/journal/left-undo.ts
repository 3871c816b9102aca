/** An undo whose process died: one that had begun is gone on with, so that all of it is taken back; and it is said. */
import { Failure } from '../failure.ts';
import type { Fate } from './recover.ts';
import { letGoOfUndo, type TurnQuery } from './turns.ts';
import { undo, type UndoParts } from './undo.ts';
import { isLeftAlone } from './undo-plan.ts';

/** Puts the undo right that is left in the workspace, of which there is one at most; run once at start. */
export async function recoverUndo(parts: UndoParts): Promise<Fate[]> {
  const { database, workspace, processes } = parts;
  const left = await database
    .selectFrom('turns')
    .select(['id', 'owner', 'undoing', 'session'])
    .where('workspace', '=', workspace)
    .where('kind', '=', 'undo')
    .where('ended', '=', 0)
    .executeTakeFirst();
  // Whoever let go of one was told why, and goes on with it by a new undo.
  if (left?.owner === undefined || left.owner === null || processes.isAlive(left.owner)) return [];
  const step = await database
    .selectFrom('changes')
    .select('call_id')
    .where('turn', '=', left.id)
    .orderBy('id', 'desc')
    .executeTakeFirst();
  if (step === undefined || left.undoing === null) {
    await letGoOfUndo(parts, left.id);
    return step === undefined ? [fateOf(left.id, '', 'nothing was taken back.')] : [];
  }
  return [
    fateOf(left.id, step.call_id, await goOn(parts, left.session, JSON.parse(left.undoing) as TurnQuery)),
  ];
}

function fateOf(turn: string, callId: string, says: string): Fate {
  return { callId, says: `The undo ${turn} was cut short: ${says}` };
}

async function goOn(parts: UndoParts, session: string, query: TurnQuery): Promise<string> {
  try {
    const callId = parts.ids.next('call');
    const { steps } = await undo(parts, query, { dryRun: false, callId, session, onPlan: () => undefined });
    const alone = steps.filter(isLeftAlone).length;
    if (alone === 0) return 'it was gone on with, and all of it was taken back.';
    return `it was gone on with; ${alone} ${alone === 1 ? 'entry was' : 'entries were'} left alone.`;
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}
