/**
 * What undo needs, written down before each change: the state of every entry before it, the state it will have,
 * and the content that would be lost. A crash between the record and the change is harmless: undo compares first.
 */
import { Failure } from '../failure.ts';
import type { Clock, CommandChanges, Files, ProcessTable, StateDirectory } from '../host/ports.ts';
import type { Database } from '../store/store.ts';
import { type EntryState, sameState } from '../host/entry-state.ts';
import { capture, type Captured, contentHash, kindAt } from './entry-state.ts';
import {
  type ChangeEffect,
  type ChangeOwner,
  forgetChanges,
  insertChanges,
  losesContent,
  type RecordedChange,
  toEffect,
} from './change-rows.ts';
import { type KeepingLimits, type Kept, keptCapture, keptFile } from './kept-contents.ts';
import { type CommandOwner, lossesOf, putBack, recordApplied, takeOver } from './take-over.ts';
import { parentsOf } from './undo-plan.ts';
import { workThrough } from './work-through.ts';

/** Wraps every change: what undo needs is on record before the work is done. Paths are resolved. */
export interface ChangeRecorder {
  write<Result>(path: string, content: Uint8Array, work: () => Promise<Result>): Promise<Result>;
  remove<Result>(path: string, work: () => Promise<Result>): Promise<Result>;
  move<Result>(from: string, to: string, work: () => Promise<Result>): Promise<Result>;
  /** An entry is brought into a state in one step. */
  replace<Result>(path: string, after: EntryState, work: () => Promise<Result>): Promise<Result>;
  /** Several files at once; a failure where one is not what it is expected to be. */
  changeAll<Result>(entries: readonly ExpectedChange[], work: () => Promise<Result>): Promise<Result>;
  /** Many entries, each brought into a state of its own in one step; returns what went wrong with some. */
  each(
    changes: readonly StatedChange[],
    work: (path: string) => Promise<unknown>,
  ): Promise<Map<string, Failure>>;
  /** Takes the changes of a command over, or records those that the workspace has already; all of them or none. */
  takeOver(changes: CommandChanges, command: Pick<CommandOwner, 'command' | 'startedAt'>): Promise<void>;
  /** Puts back what a command changed in the workspace itself; returns the paths of what could not be. */
  putBack(changes: CommandChanges, command: Pick<CommandOwner, 'command' | 'startedAt'>): Promise<string[]>;
  /** What of a command's changes undo could not give back. */
  lossesOf(changes: CommandChanges): string[];
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

/** A change of an entry that was just looked at. */
export interface StatedChange {
  readonly path: string;
  readonly before: EntryState;
  readonly after: EntryState;
  /** Of a file that is there. */
  readonly size?: number | undefined;
}

export interface PreImageParts extends KeepingLimits {
  readonly files: Files;
  readonly state: StateDirectory;
  readonly database: Database;
  readonly clock: Clock;
  readonly processes: ProcessTable;
  readonly workspace: string;
}

/** The recorder of one call. */
export function recordChanges(parts: PreImageParts, owner: ChangeOwner): ChangeRecorder {
  const { files, maxFileBytes } = parts;
  const effects: ChangeEffect[] = [];
  const around = async <Result>(
    planned: readonly PlannedChange[],
    work: () => Promise<Result>,
  ): Promise<Result> => {
    const changes = planned.map(({ path, before, after }) => ({
      path,
      before: before.state,
      after,
      kept: losesContent(before.state, after) ? keptCapture(parts.state, before) : undefined,
    }));
    const place = await record(parts, owner, changes);
    try {
      const result = await work();
      effects.push(...changes.map(toEffect));
      return result;
    } catch (error) {
      effects.push(...(await forgetUnchanged(parts, changes, place)).map(toEffect));
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
    async each(stated, work) {
      const changes = [
        ...(await parentsToMake(files, stated)),
        ...stated.map((change) => ({ ...change, kept: keptBefore(parts, change) })),
      ];
      const place = await record(parts, owner, changes);
      let failures: Map<string, Failure> | undefined;
      try {
        const paths = stated.map(({ path }) => path);
        return (failures = await workThrough(paths, work));
      } finally {
        if (failures?.size !== 0) await forgetUnchanged(parts, changes, place);
      }
    },
    async takeOver(changes, { command, startedAt }) {
      const whose = { ...owner, command, startedAt };
      const made = await (changes.isApplied ? recordApplied : takeOver)(parts, whose, changes);
      for (const effect of made) effects.push(effect);
    },
    putBack: (changes, { command, startedAt }) => putBack(parts, { ...owner, command, startedAt }, changes),
    lossesOf: ({ entries }) => lossesOf(entries, parts),
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

/** The directories that several changes will make on their way, and that are none of them. */
async function parentsToMake(files: Files, changes: readonly StatedChange[]): Promise<RecordedChange[]> {
  const made = changes.filter(({ after }) => after.kind !== 'missing').map(({ path }) => path);
  const own = new Set(made);
  const missing: RecordedChange[] = [];
  for (const parent of new Set(made.flatMap((path) => parentsOf(path))))
    if (!own.has(parent) && (await kindAt(files, parent)) === 'missing')
      missing.push({ path: parent, before: MISSING, after: { kind: 'directory' }, kept: undefined });
  return missing.sort((one, other) => one.path.length - other.path.length);
}

/** The content of a file as it is now, which is never in memory as a whole. */
function keptBefore(
  { files, state, maxFileBytes }: PreImageParts,
  { path, before, after, size = Infinity }: StatedChange,
): Kept | undefined {
  if (before.kind !== 'file' || !losesContent(before, after) || size > maxFileBytes) return undefined;
  return keptFile(state, { hash: before.hash, bytes: size }, () => files.open(path));
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

/** Writes changes down; returns where they are. */
async function record(
  parts: PreImageParts,
  owner: ChangeOwner,
  changes: readonly RecordedChange[],
): Promise<{ readonly turn: string; readonly rows: number[] }> {
  for (const { kept } of changes) await kept?.write();
  return parts.database
    .transaction()
    .execute((transaction) => insertChanges(transaction, parts, owner, changes));
}

/** After work that failed: only what did change stays on record. Returns those changes. */
async function forgetUnchanged(
  { files, database }: PreImageParts,
  changes: readonly RecordedChange[],
  { turn, rows }: { readonly turn: string; readonly rows: readonly number[] },
): Promise<RecordedChange[]> {
  const unchanged = new Set<number>();
  for (const [index, { path, before }] of changes.entries())
    if (sameState((await capture(files, path)).state, before)) unchanged.add(index);
  await forgetChanges(
    database,
    turn,
    rows.filter((_, index) => unchanged.has(index)),
  );
  return changes.filter((_, index) => !unchanged.has(index));
}
