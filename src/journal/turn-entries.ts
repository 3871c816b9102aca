/** What a turn did to each entry of its workspace, from its first change to its last. */
import type { Database } from '../store/store.ts';
import { type EntryState, sameState } from '../host/entry-state.ts';

/** One entry, without its content. */
export interface TurnEntry {
  readonly path: string;
  readonly before: EntryState['kind'];
  readonly after: EntryState['kind'];
  /** The path that it was moved from, as it was. */
  readonly movedFrom?: string;
  /** Its permissions, where they are known and others than before. */
  readonly modes?: { readonly before: number; readonly after: number };
}

/** A call that changed something in a turn; what it was is known as soon as the audit's index has it. */
export interface TurnCall {
  readonly id: string;
  readonly dialect: string | null;
  readonly tool: string | null;
}

/** The two ends of what a turn did to one path. */
export interface EntryChange {
  readonly path: string;
  readonly before: EntryState;
  readonly after: EntryState;
}

export interface TurnEntryParts {
  readonly database: Database;
  readonly workspace: string;
}

/** The entries of a turn in the order they were first touched; none for a turn that is not known there. */
export async function turnEntries(parts: TurnEntryParts, turn: string): Promise<TurnEntry[]> {
  const changes = await entryChanges(parts, turn);
  const sources = moves(changes);
  const movedAway = new Set(sources.values());
  return changes
    .filter(({ path }) => !movedAway.has(path))
    .map(({ path, before, after }) => {
      const movedFrom = sources.get(path);
      const modes = changedModes(before, after);
      return {
        path,
        before: before.kind,
        after: after.kind,
        ...(movedFrom === undefined ? {} : { movedFrom }),
        ...(modes === undefined ? {} : { modes }),
      };
    });
}

/** The calls of a turn in the order they first changed something. */
export async function turnCalls({ database, workspace }: TurnEntryParts, turn: string): Promise<TurnCall[]> {
  return database
    .selectFrom('changes')
    .innerJoin('turns', 'turns.id', 'changes.turn')
    .leftJoin('audit_calls', 'audit_calls.call_id', 'changes.call_id')
    .select(['changes.call_id as id', 'audit_calls.dialect', 'audit_calls.name as tool'])
    .where('turns.id', '=', turn)
    .where('turns.workspace', '=', workspace)
    .groupBy('changes.call_id')
    .orderBy(({ fn }) => fn.min('changes.id'))
    .execute();
}

/** What a turn did to each path. */
export async function entryChanges(
  { database, workspace }: TurnEntryParts,
  turn: string,
): Promise<EntryChange[]> {
  const changes = await database
    .selectFrom('changes')
    .innerJoin('turns', 'turns.id', 'changes.turn')
    .select(['path', 'before', 'after'])
    .where('turns.id', '=', turn)
    .where('turns.workspace', '=', workspace)
    .orderBy('changes.id')
    .execute();
  const entries = new Map<string, EntryChange>();
  for (const { path, before, after } of changes)
    entries.set(path, {
      path,
      before: entries.get(path)?.before ?? (JSON.parse(before) as EntryState),
      after: JSON.parse(after) as EntryState,
    });
  return [...entries.values()];
}

/** Where files and links that came came from: what went away in the same turn and was the same. */
function moves(changes: readonly EntryChange[]): Map<string, string> {
  const gone = changes.filter(({ before, after }) => isMovable(before) && after.kind === 'missing');
  const sources = new Map<string, string>();
  for (const { path, before, after } of changes) {
    if (before.kind !== 'missing' || !isMovable(after)) continue;
    const at = gone.findIndex((entry) => sameState(entry.before, after));
    if (at !== -1) sources.set(path, gone.splice(at, 1)[0]!.path);
  }
  return sources;
}

function isMovable({ kind }: EntryState): boolean {
  return kind === 'file' || kind === 'link';
}

function changedModes(before: EntryState, after: EntryState): TurnEntry['modes'] {
  const [old, now] = [modeOf(before), modeOf(after)];
  return old === undefined || now === undefined || old === now ? undefined : { before: old, after: now };
}

function modeOf(state: EntryState): number | undefined {
  return 'mode' in state ? state.mode : undefined;
}
