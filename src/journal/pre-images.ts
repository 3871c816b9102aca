/**
 * What undo needs, written down before each change: the state of every entry before it, the state it will have,
 * and the content that would be lost. A crash between the record and the change is harmless: undo compares first.
 */
import { Failure } from '../failure.ts';
import type { Clock, Files, StateDirectory } from '../host/ports.ts';
import type { Database } from '../store/store.ts';
import { type EntryState, sameState } from '../host/entry-state.ts';
import { capture, type Captured, contentHash } from './entry-state.ts';
import { keepContent } from './kept-contents.ts';
import { forgetEmpty } from './turns.ts';

/** What a call changed, and whether undo can take it back. */
export interface ChangeEffect {
  readonly path: string;
  readonly change: 'created' | 'updated' | 'deleted';
  readonly reversible: boolean;
}

/** Wraps every change: what undo needs is on record before the work is done. Paths are resolved. */
export interface ChangeRecorder {
  write<Result>(path: string, content: Uint8Array, work: () => Promise<Result>): Promise<Result>;
  remove<Result>(path: string, work: () => Promise<Result>): Promise<Result>;
  move<Result>(from: string, to: string, work: () => Promise<Result>): Promise<Result>;
  /** An entry is brought into a state in one step. */
  replace<Result>(path: string, after: EntryState, work: () => Promise<Result>): Promise<Result>;
  /** Several files at once; a failure where one is not what it is expected to be. */
  changeAll<Result>(entries: readonly ExpectedChange[], work: () => Promise<Result>): Promise<Result>;
  /** What was changed so far. */
  readonly effects: readonly ChangeEffect[];
}

/** A change of a path that must be in a certain state before. */
export interface ExpectedChange {
  readonly path: string;
  readonly expected: EntryState;
  readonly after: EntryState;
  readonly keepsMode: boolean;
}

export interface PreImageParts {
  readonly files: Files;
  readonly state: StateDirectory;
  readonly database: Database;
  readonly clock: Clock;
  readonly workspace: string;
  /** The largest file whose content is kept. */
  readonly maxFileBytes: number;
}

/** Whose change it is. */
export interface ChangeOwner {
  readonly turn: string;
  readonly callId: string;
  readonly session: string;
}

/** The recorder of one call. */
export function recordChanges(parts: PreImageParts, owner: ChangeOwner): ChangeRecorder {
  const { files, maxFileBytes } = parts;
  const effects: ChangeEffect[] = [];
  const around = async <Result>(
    planned: readonly PlannedChange[],
    work: () => Promise<Result>,
  ): Promise<Result> => {
    const changes = planned.map((change) => ({ ...change, object: keepContent(parts.state, change.before) }));
    const rows = await insert(parts, owner, changes);
    try {
      const result = await work();
      effects.push(...changes.map(toEffect));
      return result;
    } catch (error) {
      effects.push(...(await forgetUnchanged(parts, owner, changes, rows)).map(toEffect));
      throw error;
    }
  };
  return {
    effects,
    async write(path, content, work) {
      const before = await capture(files, path, maxFileBytes);
      const after: EntryState = { kind: 'file', hash: contentHash(content), ...modeAfter(before.state) };
      return around([...(await missingParents(files, path)), { path, before, after }], work);
    },
    async remove(path, work) {
      return around(
        (await captureTree(files, path, maxFileBytes)).map((before) => ({ ...before, after: MISSING })),
        work,
      );
    },
    async replace(path, after, work) {
      return around(
        [
          ...(await missingParents(files, path)),
          { path, before: await capture(files, path, maxFileBytes), after },
        ],
        work,
      );
    },
    async changeAll(entries, work) {
      const planned = new Map<string, PlannedChange>();
      for (const { path, expected, after, keepsMode } of entries) {
        const before = await capture(files, path, maxFileBytes);
        if (!sameState(before.state, expected)) throw changedSince(path, before.state);
        const parents = after.kind === 'missing' ? [] : await missingParents(files, path);
        const kept = after.kind === 'file' && keepsMode ? modeAfter(before.state) : {};
        for (const change of [...parents, { path, before, after: { ...after, ...kept } }])
          planned.set(change.path, change);
      }
      return around([...planned.values()], work);
    },
    async move(from, to, work) {
      const tree = await captureTree(files, from, maxFileBytes);
      const gone = tree.map((entry) => ({ ...entry, after: MISSING }));
      const arrived: PlannedChange[] = [];
      for (const { path, before } of tree) {
        const target = to + path.slice(from.length);
        arrived.push({
          path: target,
          before: await capture(files, target, maxFileBytes),
          after: before.state,
        });
      }
      return around([...(await missingParents(files, to)), ...gone, ...arrived], work);
    },
  };
}

/** A replaced file keeps its permissions; those of a new one are not known beforehand. */
function modeAfter(before: EntryState): { mode?: number } {
  return before.kind === 'file' && before.mode !== undefined ? { mode: before.mode & 0o777 } : {};
}

function changedSince(path: string, { kind }: EntryState): Failure {
  const what = kind === 'missing' ? 'is gone' : 'is not what it was any more';
  return new Failure('E_CONFLICT', `${JSON.stringify(path)} ${what}: somebody else changed it meanwhile.`, {
    hint: 'Nothing was changed. Read it again and go on from there.',
  });
}

const MISSING: EntryState = { kind: 'missing' };
const UNKEPT: EntryState = { kind: 'other' };

interface PlannedChange {
  readonly path: string;
  readonly before: Captured;
  readonly after: EntryState;
}

/** The directories a write will make on its way. */
async function missingParents(files: Files, path: string): Promise<PlannedChange[]> {
  const planned: PlannedChange[] = [];
  const names = path.split('/').slice(0, -1);
  for (let depth = 1; depth <= names.length; depth++) {
    const parent = names.slice(0, depth).join('/');
    const { state } = await capture(files, parent);
    if (state.kind === 'missing')
      planned.push({ path: parent, before: { state }, after: { kind: 'directory' } });
  }
  return planned;
}

/** An entry and, for a directory, everything below it; parents come before what they hold. */
async function captureTree(
  files: Files,
  path: string,
  maxBytes: number,
): Promise<{ path: string; before: Captured }[]> {
  const before = await capture(files, path, maxBytes);
  const tree = [{ path, before }];
  if (before.state.kind !== 'directory') return tree;
  for (const { name } of await files.list(path)) {
    const below = await captureTree(files, `${path}/${name}`, maxBytes);
    // It is listed, but its name can't be written (not UTF-8): it can't be kept, and that is said.
    tree.push(
      ...below.map((entry) =>
        entry.before.state.kind === 'missing' ? { ...entry, before: { state: UNKEPT } } : entry,
      ),
    );
  }
  return tree;
}

interface Change extends PlannedChange {
  /** The content that was kept. */
  readonly object: string | null;
}

/** Writes changes down; returns the ids of their rows. */
async function insert(
  parts: PreImageParts,
  owner: ChangeOwner,
  changes: readonly Change[],
): Promise<number[]> {
  const { database, clock, workspace } = parts;
  const at = clock.now();
  return database.transaction().execute(async (transaction) => {
    const turn = await turnFor(transaction, parts, owner);
    await transaction
      .insertInto('turns')
      .values({
        id: turn,
        workspace,
        session: owner.session,
        kind: 'work',
        started_at: at,
        ended: 1,
        undone_by: null,
        owner: null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const rows: number[] = [];
    for (const { path, before, after, object } of changes) {
      if (object !== null) {
        // Who cleans up locks the store as well: what it took away since is written again.
        keepContent(parts.state, before);
        await transaction
          .insertInto('objects')
          .values({ hash: object, bytes: before.content!.length })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      }
      const states = { before: JSON.stringify(before.state), after: JSON.stringify(after) };
      const row = { turn, call_id: owner.callId, path, object, at, ...states };
      const { id } = await transaction
        .insertInto('changes')
        .values(row)
        .returning('id')
        .executeTakeFirstOrThrow();
      rows.push(id);
    }
    return rows;
  });
}

/** A turn that was taken back, or is somebody else's, takes nothing more in: the call is then a turn of its own. */
async function turnFor(
  database: Database,
  { workspace }: PreImageParts,
  { turn, callId, session }: ChangeOwner,
): Promise<string> {
  const known = await database.selectFrom('turns').selectAll().where('id', '=', turn).executeTakeFirst();
  if (known === undefined) return turn;
  const isOurs = known.workspace === workspace && (known.kind === 'undo' || known.session === session);
  return isOurs && known.undone_by === null ? turn : `${turn}/${callId}`;
}

/** After work that failed: only what did change stays on record. Returns those changes. */
async function forgetUnchanged(
  { files, database }: PreImageParts,
  owner: ChangeOwner,
  changes: readonly Change[],
  rows: readonly number[],
): Promise<Change[]> {
  const changed: Change[] = [];
  for (const [index, change] of changes.entries()) {
    const { state } = await capture(files, change.path);
    if (!sameState(state, change.before.state)) changed.push(change);
    else await database.deleteFrom('changes').where('id', '=', rows[index]!).execute();
  }
  for (const turn of [owner.turn, `${owner.turn}/${owner.callId}`]) await forgetEmpty(database, turn);
  return changed;
}

function toEffect({ path, before: { state: before }, after, object }: Change): ChangeEffect {
  const isKept = before.kind !== 'other' && (before.kind !== 'file' || object !== null);
  const change = before.kind === 'missing' ? 'created' : after.kind === 'missing' ? 'deleted' : 'updated';
  return { path, change, reversible: isKept };
}
