/** Puts back what a take-over did that could not be finished. */
import { sameState, type EntryState } from '../host/entry-state.ts';
import type { Change } from '../store/tables.ts';
import { forgetChanges } from './change-rows.ts';
import { capture } from './entry-state.ts';
import type { PreImageParts } from './pre-images.ts';
import { workThrough } from './work-through.ts';
import { makePlan } from './undo-plan.ts';
import { type StepRecorder, takeSteps } from './undo-steps.ts';

/** Where the changes of a take-over are on record. */
export interface ChangePlace {
  /** Of the changes. */
  readonly id: string;
  readonly turn: string;
  readonly call_id: string;
  readonly first_row: number;
  readonly last_row: number;
}

/**
 * Puts entries back into the state before and forgets those that are, and the take-over; returns the paths of the others.
 * What is at the contested path was made by somebody else.
 */
export async function takeBack(
  parts: PreImageParts,
  place: ChangePlace,
  contested: unknown,
): Promise<string[]> {
  const { database, files } = parts;
  const rows = await database
    .selectFrom('changes')
    .selectAll()
    .where('id', '>=', place.first_row)
    .where('id', '<=', place.last_row)
    .orderBy('id')
    .execute();
  // The changes themselves are still on record: a crash here is one in the middle of the take-over.
  await takeSteps(parts, await makePlan(parts, rows.map(asFarAsItGot)), UNRECORDED, place.call_id);
  const first = new Map(rows.toReversed().map((row) => [row.path, row]));
  const left = new Set<string>();
  for (const [path, { before }] of first)
    if (
      path !== contested &&
      !sameState((await capture(files, path)).state, JSON.parse(before) as EntryState)
    )
      left.add(path);
  const back = rows.filter(({ path }) => !left.has(path));
  await database.transaction().execute(async (transaction) => {
    await forgetChanges(
      transaction,
      place.turn,
      back.map(({ id }) => id),
    );
    await transaction.deleteFrom('takeovers').where('id', '=', place.id).execute();
  });
  return [...left];
}

/** Folders get their modes last. */
function asFarAsItGot(row: Change): Change {
  const after = JSON.parse(row.after) as EntryState;
  return after.kind === 'directory' ? { ...row, after: JSON.stringify({ kind: 'directory' }) } : row;
}

const UNRECORDED: StepRecorder = {
  each: (changes, work) =>
    workThrough(
      changes.map(({ path }) => path),
      work,
    ),
};
