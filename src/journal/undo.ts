/**
 * Takes turns back, three-way: an entry is restored only where it still is as the turn left it; what changed since is
 * reported and left alone. An undo is itself a turn, recorded step by step before each step, so that it can be undone
 * and, when it is cut short, gone on with.
 */
import { Failure } from '../failure.ts';
import type { Clock, Files, Ids, StateDirectory } from '../host/ports.ts';
import type { Database } from '../store/store.ts';
import type { Changes, Turns } from '../store/tables.ts';
import { capture, contentHash, type EntryState } from './entry-state.ts';
import { type ChangeRecorder, objectFile, recordChanges } from './pre-images.ts';
import { makePlan, type PlannedStep, type UndoStep } from './undo-plan.ts';

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
    else done.push(await attempt(step, () => removeEntry(parts, step, recorder)));
  }
  for (const step of restores) done.push(await attempt(step, () => restore(parts, step, recorder, callId)));
  for (const step of directories)
    done.push(await attempt(step, () => removeDirectory(parts, step, recorder)));
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

/** One entry that can't be put back must not keep the others from it. */
async function attempt({ path }: PlannedStep, work: () => Promise<UndoStep>): Promise<UndoStep> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Failure) return { path, action: 'conflict', reason: error.message };
    throw error;
  }
}

async function restore(
  parts: UndoParts,
  step: PlannedStep,
  recorder: ChangeRecorder,
  callId: string,
): Promise<UndoStep> {
  const { path, target } = step;
  const { files } = parts;
  const { state: current } = await capture(files, path);
  if (current.kind === 'directory' && target.kind === 'directory') {
    if (target.mode !== undefined)
      await recorder.replace(path, target, () => files.setMode(path, target.mode!));
    return describe(step);
  }
  const isInTheWay =
    current.kind === 'directory' || (current.kind !== 'missing' && current.kind !== target.kind);
  if (current.kind === 'directory' && (await files.list(path)).length > 0) {
    return { path, action: 'conflict', reason: 'a directory with other entries is there now' };
  }
  const content = target.kind === 'file' ? contentFor(parts, step) : undefined;
  if (target.kind === 'file' && content === undefined)
    return { path, action: 'lost', reason: 'its kept content is damaged' };
  if (isInTheWay) await recorder.remove(path, () => files.remove(path, { mayRemove: () => true }));
  if (target.kind === 'file') {
    const mode = target.mode === undefined ? {} : { mode: target.mode };
    await recorder.write(path, content!, () => files.write(path, content!, { callId, ...mode }));
  } else {
    await recorder.replace(path, target, () => putBack(files, path, target));
  }
  return describe(step);
}

/** The kept content, if it is what it was. */
function contentFor({ state }: UndoParts, { object }: PlannedStep): Uint8Array | undefined {
  const content = state.readWhole(objectFile(object!));
  return content !== undefined && contentHash(content) === object ? content : undefined;
}

async function putBack(files: Files, path: string, target: EntryState): Promise<void> {
  if (target.kind === 'link') {
    if ((await capture(files, path)).state.kind !== 'missing')
      await files.remove(path, { mayRemove: () => true });
    await files.makeLink(path, target.target);
  }
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
