/** Whether an entry is what a call made of it last: nobody else has changed it since. */
import { type EntryState, sameState } from '../host/entry-state.ts';
import type { Files } from '../host/ports.ts';
import type { Database } from '../store/store.ts';
import { capture } from './entry-state.ts';

interface OwnWriteParts {
  readonly database: Database;
  readonly files: Files;
  readonly workspace: string;
}

/** Compares a resolved path with the last change of it that is on record, by any session. */
export async function isOwnWrite(
  { database, files, workspace }: OwnWriteParts,
  path: string,
): Promise<boolean> {
  const last = await database
    .selectFrom('changes')
    .innerJoin('turns', 'turns.id', 'changes.turn')
    .select('changes.after')
    .where('turns.workspace', '=', workspace)
    .where('changes.path', '=', path)
    .orderBy('changes.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (last === undefined) return false;
  return sameState((await capture(files, path)).state, JSON.parse(last.after) as EntryState);
}
