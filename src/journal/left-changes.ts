/**
 * Changes of commands whose process died. Those that were being taken over are taken over whole; those that nobody had
 * begun to are dropped; those that the workspace has already become a turn. Each is said.
 */
import { Failure } from '../failure.ts';
import type { LeftChanges } from '../host/ports.ts';
import type { PathLocks } from '../store/path-locks.ts';
import type { Takeovers } from '../store/tables.ts';
import type { PreImageParts } from './pre-images.ts';
import { wantedPreviews } from './previews.ts';
import type { Fate } from './recover.ts';
import { type CommandOwner, finishTakeOver, recordApplied } from './take-over.ts';

export interface LeftParts extends PreImageParts {
  readonly left: LeftChanges;
  readonly locks: PathLocks;
}

/** What is kept beside the changes of a command, for who finds them. */
export function labelOf({ turn, callId, session, command, startedAt }: CommandOwner): string {
  return JSON.stringify({ turn, callId, session, command, startedAt });
}

/** Puts everything right that is left in the workspace; run once at start. */
export async function recoverCommands(parts: LeftParts): Promise<Fate[]> {
  const { database, workspace, processes, left } = parts;
  const rows = await database
    .selectFrom('takeovers')
    .selectAll()
    .where('workspace', '=', workspace)
    .execute();
  const found = left.list();
  const fates: Fate[] = [];
  for (const row of rows.filter(({ owner }) => !processes.isAlive(owner))) {
    if (!(await isClaimed(parts, row))) continue;
    const isLeft = found.some(({ id }) => id === row.id);
    fates.push(fateOf({ callId: row.call_id, command: row.command }, await goOn(parts, row, isLeft)));
  }
  const known = new Set(rows.map(({ id }) => id));
  const wanted = await wantedPreviews(parts);
  for (const { id, label, isApplied } of found.filter((one) => !known.has(one.id) && !wanted.has(one.id))) {
    const owner = ownerIn(label);
    if (isApplied && owner !== undefined) fates.push(fateOf(owner, await recordLeft(parts, id, owner)));
    else {
      await left.drop(id);
      if (owner !== undefined) fates.push(fateOf(owner, NOTHING));
    }
  }
  return fates;
}

/** Undefined for what no command left, such as a try whether there can be any changes. */
function ownerIn(label: string): CommandOwner | undefined {
  try {
    return JSON.parse(label) as CommandOwner;
  } catch {
    return undefined;
  }
}

function fateOf({ callId, command }: Pick<CommandOwner, 'callId' | 'command'>, says: string): Fate {
  return { callId, says: `The command \`${command}\` of ${callId} was cut short: ${says}` };
}

/** Of several who start at once, one. */
async function isClaimed({ database, processes }: LeftParts, row: Takeovers): Promise<boolean> {
  const claimed = await database
    .updateTable('takeovers')
    .set({ owner: processes.self })
    .where('id', '=', row.id)
    .where('owner', '=', row.owner)
    .executeTakeFirst();
  return claimed.numUpdatedRows === 1n;
}

const WHOLE = 'its changes were taken over whole.';
const NOTHING = 'nothing of it was taken over.';
const NEVER = new AbortController().signal;

async function goOn(parts: LeftParts, row: Takeovers, isLeft: boolean): Promise<string> {
  const { database, left, locks, workspace } = parts;
  try {
    if (isLeft) {
      await using changes = await left.reopen(row.id);
      const paths = changes.entries.map(({ path }) => path);
      await using _held = await locks.hold(workspace, paths, NEVER);
      if (!changes.isApplied) await finishTakeOver(parts, changes, row);
    }
    await database.deleteFrom('takeovers').where('id', '=', row.id).execute();
    return WHOLE;
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}

async function recordLeft({ left, ...parts }: LeftParts, id: string, owner: CommandOwner): Promise<string> {
  try {
    await using changes = await left.reopen(id);
    const { length } = await recordApplied(parts, owner, changes);
    return length === 0 ? NOTHING_YET : `the ${length} entries it had changed are on record, for undo.`;
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}

const NOTHING_YET = 'it had changed nothing.';
