/**
 * A command's changes become those of the workspace. What undo needs is on record first, together with the fact that
 * they are being taken over: whoever finds that after a crash goes on with it, so that there are all of them or none.
 */
import { Failure } from '../failure.ts';
import { type EntryState, sameState } from '../host/entry-state.ts';
import { isGitIndex } from '../host/git-index-meaning.ts';
import type { ChangedEntry, CommandChanges, OpenFile } from '../host/ports.ts';
import {
  type ChangeEffect,
  type ChangeOwner,
  insertChanges,
  losesContent,
  type RecordedChange,
  toEffect,
} from './change-rows.ts';
import { captureFile } from './entry-state.ts';
import { type KeepingLimits, type Kept, keptFile } from './kept-contents.ts';
import type { PreImageParts } from './pre-images.ts';
import { type ChangePlace, takeBack } from './take-back.ts';

/** Whose changes they are. */
export interface CommandOwner extends ChangeOwner {
  /** As people may read it. */
  readonly command: string;
  readonly startedAt: number;
}

/** Takes changes over from their view; where that fails, what was done is taken back. */
export async function takeOver(
  parts: PreImageParts,
  owner: CommandOwner,
  changes: CommandChanges,
): Promise<ChangeEffect[]> {
  const recorded = await toRecord(parts, changes);
  const place = await record(parts, owner, changes, recorded);
  if (place !== undefined) await finishTakeOver(parts, changes, place);
  return recorded.map(toEffect);
}

/** Once it is on record: the part that is gone on with after a crash. */
export async function finishTakeOver(
  parts: PreImageParts,
  changes: CommandChanges,
  place: ChangePlace,
): Promise<void> {
  try {
    await changes.takeOver();
  } catch (error) {
    // Where it stopped, somebody else's work is.
    const contested = error instanceof Failure ? error.details?.['path'] : undefined;
    throw notTakenOver(error, await takeBack(parts, place, contested));
  }
  await close(parts, changes);
}

/** Writes down what undo needs, and whose changes these are. */
async function record(
  parts: PreImageParts,
  owner: CommandOwner,
  changes: CommandChanges,
  recorded: readonly RecordedChange[],
): Promise<ChangePlace | undefined> {
  if (recorded.length === 0) return undefined;
  const { database, workspace, processes } = parts;
  for (const { kept } of recorded) await kept?.write();
  return database.transaction().execute(async (transaction): Promise<ChangePlace> => {
    const { turn, rows } = await insertChanges(transaction, parts, owner, recorded.flatMap(inSteps));
    const place = {
      id: changes.id,
      turn,
      call_id: owner.callId,
      command: owner.command,
      first_row: rows[0]!,
      last_row: rows.at(-1)!,
    };
    await transaction
      .insertInto('takeovers')
      .values({ workspace, owner: processes.self, ...place })
      .execute();
    return place;
  });
}

/** What is left of them goes first: who finds the row and no changes knows that all is done. */
async function close({ database }: PreImageParts, changes: CommandChanges): Promise<void> {
  await changes[Symbol.asyncDispose]();
  await database.deleteFrom('takeovers').where('id', '=', changes.id).execute();
}

/** A folder gives way to something else in two steps, and the other way round: what is there in between is nothing. */
function inSteps(change: RecordedChange): RecordedChange[] {
  const { before, after } = change;
  const isSwap = (before.kind === 'directory') !== (after.kind === 'directory');
  if (!isSwap || before.kind === 'missing' || after.kind === 'missing') return [change];
  return [
    { ...change, after: NOTHING },
    { ...change, before: NOTHING, kept: undefined },
  ];
}

const NOTHING: EntryState = { kind: 'missing' };

function notTakenOver(error: unknown, left: readonly string[]): unknown {
  if (!(error instanceof Failure)) return error;
  const { code, message, details } = error;
  if (left.length === 0)
    return new Failure(code, `${message} Nothing of what the command changed was taken over.`, {
      ...(error.hint === undefined ? {} : { hint: error.hint }),
      ...(details === undefined ? {} : { details }),
      cause: error,
    });
  const shown = left.slice(0, 10).map((path) => JSON.stringify(path));
  return new Failure(
    'E_IO',
    `${message} What was taken over before could not be put back: ${shown.join(', ')}.`,
    {
      hint: 'Undo the turn once the trouble is over.',
      cause: error,
    },
  );
}

/**
 * Records changes that the workspace has already. What another call changed since the command began is that call's; what
 * both may have changed can't be told apart, and is not taken back.
 */
export async function recordApplied(
  parts: PreImageParts,
  owner: CommandOwner,
  changes: CommandChanges,
): Promise<ChangeEffect[]> {
  const others = await madeByOthers(parts, owner);
  const recorded = (await toRecord(parts, changes)).filter(({ path, after }) => {
    const theirs = others.get(path);
    return theirs === undefined || !sameState(theirs, after);
  });
  const own = recorded.filter(({ path }) => !others.has(path));
  if ((await record(parts, owner, changes, own)) !== undefined) await close(parts, changes);
  return recorded.map((change) => ({
    ...toEffect(change),
    ...(others.has(change.path) ? { reversible: false } : {}),
  }));
}

/** Puts back what the workspace has already; returns the paths of what could not be. */
export async function putBack(
  parts: PreImageParts,
  owner: CommandOwner,
  changes: CommandChanges,
): Promise<string[]> {
  const others = await madeByOthers(parts, owner);
  const own = (await toRecord(parts, changes)).filter(({ path }) => !others.has(path));
  const place = await record(parts, owner, changes, own);
  return place === undefined ? [] : takeBack(parts, place, undefined);
}

/** What other calls made of entries of the workspace in a time. */
async function madeByOthers(
  { database, workspace }: PreImageParts,
  { callId, startedAt }: CommandOwner,
): Promise<Map<string, EntryState>> {
  const rows = await database
    .selectFrom('changes')
    .innerJoin('turns', 'turns.id', 'changes.turn')
    .select(['path', 'after'])
    .where('turns.workspace', '=', workspace)
    .where('changes.at', '>=', startedAt)
    .where('changes.call_id', '!=', callId)
    .orderBy('changes.id')
    .execute();
  return new Map(rows.map(({ path, after }) => [path, JSON.parse(after) as EntryState]));
}

/** What undo could not give back: too large, more than there is room for, or nothing that can be kept at all. */
export function lossesOf(entries: readonly ChangedEntry[], limits: KeepingLimits): string[] {
  const kept = keepable(entries, limits);
  const isLost = (entry: ChangedEntry): boolean =>
    entry.before.kind === 'other' || (losesContent(entry.before, entry.after) && !kept.has(entry));
  return entries.filter(isLost).map(({ path }) => path);
}

/** The entries whose old content is kept: as they come, while there is room. */
function keepable(
  entries: readonly ChangedEntry[],
  { maxFileBytes, quotaBytes }: KeepingLimits,
): Set<ChangedEntry> {
  const kept = new Set<ChangedEntry>();
  let room = quotaBytes;
  for (const entry of entries) {
    const { before, after, bytesBefore = Infinity } = entry;
    if (!losesContent(before, after) || bytesBefore > maxFileBytes || bytesBefore > room) continue;
    kept.add(entry);
    room -= bytesBefore;
  }
  return kept;
}

async function toRecord(parts: PreImageParts, changes: CommandChanges): Promise<RecordedChange[]> {
  const kept = keepable(changes.entries, parts);
  const recorded: RecordedChange[] = [];
  for (const entry of changes.entries) {
    const { path } = entry;
    const openBefore = (): Promise<OpenFile> => changes.openBefore(path);
    recorded.push({
      path,
      before: await withMeaning(path, entry.before, openBefore),
      after: await withMeaning(path, entry.after, () => changes.open(path)),
      kept: kept.has(entry) ? keptBefore(parts, entry, openBefore) : undefined,
    });
  }
  return recorded;
}

function keptBefore(
  { state }: PreImageParts,
  { before, bytesBefore }: ChangedEntry,
  open: () => Promise<OpenFile>,
): Kept | undefined {
  return before.kind === 'file'
    ? keptFile(state, { hash: before.hash, bytes: bytesBefore ?? 0 }, open)
    : undefined;
}

/** An editor may rewrite an index at any time: what it says is what is compared later. */
async function withMeaning(
  path: string,
  state: EntryState,
  open: () => Promise<OpenFile>,
): Promise<EntryState> {
  if (state.kind !== 'file' || !isGitIndex(path)) return state;
  await using file = await open();
  const { meaning } = (await captureFile(path, file)).state;
  return meaning === undefined ? state : { ...state, meaning };
}
