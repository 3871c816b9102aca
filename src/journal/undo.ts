/**
 * Takes turns back, three-way: an entry is restored only where it still is as the turn left it; what changed since is
 * reported and left alone. An undo is itself a turn, recorded step by step before each step, so that it can be undone
 * and, when it is cut short, gone on with.
 */
import { Failure } from '../failure.ts';
import type { Clock, Files, Ids, StateDirectory } from '../host/ports.ts';
import type { Database } from '../store/store.ts';
import type { Changes, Turns } from '../store/tables.ts';
import { capture, type EntryState, sameState } from './entry-state.ts';
import { type ChangeRecorder, objectFile, recordChanges } from './pre-images.ts';

export interface UndoParts {
  readonly files: Files;
  readonly state: StateDirectory;
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly workspace: string;
  readonly maxFileBytes: number;
}

/** Which turns. Only by its id is an undo itself taken back; the other ways go on to the work before it. */
export type TurnQuery =
  | { readonly turn: string }
  | { readonly call: string }
  | { readonly last: number }
  | { readonly since: number }
  | { readonly session: string };

/** What undo does, or would do, with one entry. */
export interface UndoStep {
  readonly path: string;
  /** `restore` and `remove` are done; `keep` was so already; `conflict` and `lost` are left alone. */
  readonly action: 'restore' | 'remove' | 'keep' | 'conflict' | 'lost';
  readonly reason?: string;
}

export interface UndoReport {
  /** The undo's own turn; undefined in a dry run and where there was nothing to do. */
  readonly turn?: string;
  readonly turns: readonly string[];
  readonly steps: readonly UndoStep[];
}

export interface UndoOptions {
  readonly dryRun: boolean;
  readonly callId: string;
  readonly session: string;
  /** Told what will be touched, before anything is. */
  readonly onPlan: (steps: readonly UndoStep[]) => void;
}

/** The turns of a workspace that changed something, newest first. */
export async function listTurns(
  { database, workspace }: Pick<UndoParts, 'database' | 'workspace'>,
  limit: number,
): Promise<TurnSummary[]> {
  const turns = await database
    .selectFrom('turns')
    .selectAll('turns')
    .select((row) =>
      row
        .selectFrom('changes')
        .whereRef('changes.turn', '=', 'turns.id')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .as('entries'),
    )
    .where('workspace', '=', workspace)
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return turns.map(({ entries, ...turn }) => ({ ...turn, entries: entries ?? 0 }));
}

export interface TurnSummary extends Turns {
  /** How many entries it changed. */
  readonly entries: number;
}

/** Takes turns back; a dry run only says what would be done. */
export async function undo(parts: UndoParts, query: TurnQuery, options: UndoOptions): Promise<UndoReport> {
  const turns = await selectTurns(parts, query);
  if (turns.length === 0)
    throw new Failure('E_NOT_FOUND', 'There is no turn to take back.', {
      hint: '`handrail turns` lists what there is.',
    });
  const plan = await makePlan(parts, await changesOf(parts, turns, query));
  const names = turns.map(({ id }) => id);
  if (options.dryRun) return { turns: names, steps: plan.map(describe) };
  options.onPlan(plan.map(describe));
  const turn = await beginUndo(parts, options.session);
  const recorder = recordChanges(parts, { turn, callId: options.callId, session: options.session });
  const steps = await apply(parts, plan, recorder, options.callId);
  await endUndo(parts, turn, 'call' in query ? [] : names);
  return { turn, turns: names, steps };
}

async function selectTurns({ database, workspace }: UndoParts, query: TurnQuery): Promise<Turns[]> {
  const open = database
    .selectFrom('turns')
    .selectAll()
    .where('workspace', '=', workspace)
    .where('undone_by', 'is', null)
    .where('ended', '=', 1)
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc');
  if ('turn' in query) return open.where('id', '=', query.turn).execute();
  if ('last' in query) return open.where('kind', '=', 'work').limit(query.last).execute();
  if ('since' in query)
    return open.where('kind', '=', 'work').where('started_at', '>=', query.since).execute();
  if ('session' in query)
    return open.where('kind', '=', 'work').where('session', '=', query.session).execute();
  return open
    .where('id', 'in', (row) => row.selectFrom('changes').select('turn').where('call_id', '=', query.call))
    .execute();
}

function changesOf({ database }: UndoParts, turns: readonly Turns[], query: TurnQuery): Promise<Changes[]> {
  const ids = turns.map(({ id }) => id);
  const changes = database.selectFrom('changes').selectAll().where('turn', 'in', ids).orderBy('id');
  return ('call' in query
    ? changes.where('call_id', '=', query.call)
    : changes
  ).execute() as Promise<unknown> as Promise<Changes[]>;
}

/** Everything the turns did to one path, as one change: from the first `before` to the last `after`. */
interface PlannedStep {
  readonly path: string;
  readonly target: EntryState;
  readonly object: string | null;
  readonly action: UndoStep['action'];
  readonly reason?: string;
}

async function makePlan(parts: UndoParts, changes: readonly Changes[]): Promise<PlannedStep[]> {
  const byPath = new Map<string, { target: EntryState; object: string | null; expected: EntryState }>();
  for (const change of changes) {
    const known = byPath.get(change.path);
    const expected = JSON.parse(change.after) as EntryState;
    if (known !== undefined) known.expected = expected;
    else
      byPath.set(change.path, {
        target: JSON.parse(change.before) as EntryState,
        object: change.object,
        expected,
      });
  }
  const plan: PlannedStep[] = [];
  for (const [path, { target, object, expected }] of byPath) {
    const { state: current } = await capture(parts.files, path);
    plan.push({ path, target, object, ...judge(parts, { target, object, expected, current }) });
  }
  return plan;
}

function judge(
  { state }: UndoParts,
  {
    target,
    object,
    expected,
    current,
  }: { target: EntryState; object: string | null; expected: EntryState; current: EntryState },
): Pick<PlannedStep, 'action' | 'reason'> {
  if (sameState(current, target)) return { action: 'keep' };
  if (!sameState(current, expected))
    return {
      action: 'conflict',
      reason: current.kind === 'missing' ? 'it is gone now' : 'it was changed since',
    };
  if (target.kind === 'missing') return { action: 'remove' };
  const isLost =
    target.kind === 'other' ||
    (target.kind === 'file' && (object === null || !state.exists(objectFile(object))));
  return isLost ? { action: 'lost', reason: 'its content was not kept' } : { action: 'restore' };
}

/** Files that were made go first, from the deepest; then what was there comes back, from the root; then made directories go. */
async function apply(
  parts: UndoParts,
  plan: readonly PlannedStep[],
  recorder: ChangeRecorder,
  callId: string,
): Promise<UndoStep[]> {
  const done: UndoStep[] = plan
    .filter(({ action }) => action !== 'remove' && action !== 'restore')
    .map(describe);
  const removals = plan.filter(({ action }) => action === 'remove').sort(deepestFirst);
  const restores = plan.filter(({ action }) => action === 'restore').sort(shallowestFirst);
  const isDirectory = async ({ path }: PlannedStep): Promise<boolean> =>
    (await capture(parts.files, path)).state.kind === 'directory';
  const directories: PlannedStep[] = [];
  for (const step of removals) {
    if (await isDirectory(step)) directories.push(step);
    else done.push(await removeEntry(parts, step, recorder));
  }
  for (const step of restores) done.push(await restore(parts, step, recorder, callId));
  for (const step of directories) done.push(await removeDirectory(parts, step, recorder));
  return done;
}

async function removeEntry(
  { files }: UndoParts,
  step: PlannedStep,
  recorder: ChangeRecorder,
): Promise<UndoStep> {
  await recorder.remove(step.path, () => files.remove(step.path, { mayRemove: () => true }));
  return describe(step);
}

async function removeDirectory(
  parts: UndoParts,
  step: PlannedStep,
  recorder: ChangeRecorder,
): Promise<UndoStep> {
  const left = await parts.files.list(step.path);
  if (left.length > 0)
    return { path: step.path, action: 'conflict', reason: `it holds ${left.length} other entries now` };
  return removeEntry(parts, step, recorder);
}

async function restore(
  parts: UndoParts,
  step: PlannedStep,
  recorder: ChangeRecorder,
  callId: string,
): Promise<UndoStep> {
  const { path, target, object } = step;
  const { files, state } = parts;
  if (target.kind === 'file') {
    const content = state.readWhole(objectFile(object!))!;
    const mode = target.mode === undefined ? {} : { mode: target.mode };
    await recorder.write(path, content, () => files.write(path, content, { callId, ...mode }));
  } else {
    await recorder.replace(path, target, () => putBack(files, path, target));
  }
  return describe(step);
}

async function putBack(files: Files, path: string, target: EntryState): Promise<void> {
  if ((await capture(files, path)).state.kind !== 'missing')
    await files.remove(path, { mayRemove: () => true });
  if (target.kind === 'link') await files.makeLink(path, target.target);
  if (target.kind !== 'directory') return;
  await files.makeDirectory(path);
  if (target.mode !== undefined) await files.setMode(path, target.mode);
}

function describe({ path, action, reason }: PlannedStep): UndoStep {
  return { path, action, ...(reason === undefined ? {} : { reason }) };
}

const depth = ({ path }: PlannedStep): number => path.split('/').length;
const deepestFirst = (one: PlannedStep, other: PlannedStep): number => depth(other) - depth(one);
const shallowestFirst = (one: PlannedStep, other: PlannedStep): number => depth(one) - depth(other);

/** An undo that a crash cut short is gone on with: its steps so far and the rest are one turn. */
async function beginUndo({ database, ids, clock, workspace }: UndoParts, session: string): Promise<string> {
  const unfinished = await database
    .selectFrom('turns')
    .select('id')
    .where('workspace', '=', workspace)
    .where('kind', '=', 'undo')
    .where('ended', '=', 0)
    .executeTakeFirst();
  if (unfinished !== undefined) return unfinished.id;
  const id = ids.next('turn');
  await database
    .insertInto('turns')
    .values({ id, workspace, session, kind: 'undo', started_at: clock.now(), ended: 0, undone_by: null })
    .execute();
  return id;
}

async function endUndo({ database }: UndoParts, turn: string, undone: readonly string[]): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await transaction.updateTable('turns').set({ ended: 1 }).where('id', '=', turn).execute();
    if (undone.length === 0) return;
    await transaction.updateTable('turns').set({ undone_by: turn }).where('id', 'in', undone).execute();
    // What an undo had taken back is there again once that undo is taken back.
    await transaction
      .updateTable('turns')
      .set({ undone_by: null })
      .where('undone_by', 'in', undone)
      .execute();
  });
}
