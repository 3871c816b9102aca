/** What a turn did to each entry of its workspace, from its first change to its last. */
import type { Database } from '../store/store.ts';
import type { EntryState } from './entry-state.ts';

export interface TurnEntry {
  readonly path: string;
  readonly before: EntryState['kind'];
  readonly after: EntryState['kind'];
}

/** The entries of a turn in the order they were first touched; none for a turn that is not known there. */
export async function turnEntries(database: Database, workspace: string, turn: string): Promise<TurnEntry[]> {
  const changes = await database
    .selectFrom('changes')
    .innerJoin('turns', 'turns.id', 'changes.turn')
    .select(['path', 'before', 'after'])
    .where('turns.id', '=', turn)
    .where('turns.workspace', '=', workspace)
    .orderBy('changes.id')
    .execute();
  const entries = new Map<string, TurnEntry>();
  for (const { path, before, after } of changes)
    entries.set(path, {
      path,
      before: entries.get(path)?.before ?? kindOf(before),
      after: kindOf(after),
    });
  return [...entries.values()];
}

function kindOf(state: string): EntryState['kind'] {
  return (JSON.parse(state) as EntryState).kind;
}
