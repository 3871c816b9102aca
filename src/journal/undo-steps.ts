/**
 * Carries out a planned undo. Closed directories are opened, what has to go goes from the deepest, what was there comes
 * back from the root, and directories get their modes last. Each of these is one change, on record before it is made.
 */
import { Failure } from '../failure.ts';
import type { Files, StateDirectory } from '../host/ports.ts';
import { type EntryState, sameState } from '../host/entry-state.ts';
import { losesContent } from './change-rows.ts';
import { capture, kindAt } from './entry-state.ts';
import { keptContent } from './kept-contents.ts';
import type { ChangeRecorder } from './pre-images.ts';
import { depthOf, isChange, mustGo, parentsOf, type PlannedStep, type UndoStep } from './undo-plan.ts';

interface StepParts {
  readonly files: Files;
  readonly state: StateDirectory;
}

/** Keeps what the undo of the undo needs. */
export type StepRecorder = Pick<ChangeRecorder, 'remove' | 'replace'>;

/** Takes the steps; one entry that can't be put back does not keep the others from it. */
export async function takeSteps(
  parts: StepParts,
  plan: readonly PlannedStep[],
  recorder: StepRecorder,
  callId: string,
): Promise<UndoStep[]> {
  const { files } = parts;
  const results = new Map<string, UndoStep>(plan.map((step) => [step.path, step]));
  const attempt = async ({ path }: PlannedStep, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      results.set(path, { path, action: 'conflict', reason: error.message });
    }
  };
  const setMode = (path: string, mode: number): Promise<void> =>
    recorder.replace(path, { kind: 'directory', mode }, () => files.setMode(path, mode));
  const isDue = ({ path }: PlannedStep): boolean => isChange(results.get(path)!);
  const fromTheRoot = [...plan].sort((one, other) => depthOf(one) - depthOf(other));
  const fromTheDeepest = fromTheRoot.toReversed();

  const closed = new Map(closedDirectories(fromTheRoot));
  for (const [step, mode] of closed) await attempt(step, () => setMode(step.path, mode | OPEN));
  for (const step of fromTheDeepest.filter(mustGo))
    if (isDue(step)) await attempt(step, () => remove(files, step, recorder));
  for (const step of fromTheRoot.filter(({ action }) => action === 'restore'))
    if (isDue(step)) await attempt(step, () => make(parts, step, recorder, callId));
  for (const step of fromTheDeepest) {
    const wanted = isDue(step) ? modeOf(step.target) : closed.get(step);
    if (wanted === undefined) continue;
    const { state } = await capture(files, step.path);
    if (state.kind === 'directory' && state.mode !== wanted)
      await attempt(step, () => setMode(step.path, wanted));
  }
  return [...results.values()];
}

/** What the owner of a directory needs to change what is in it. */
const OPEN = 0o700;

/** The directories that something changes in and that do not permit it, with their modes. */
function closedDirectories(plan: readonly PlannedStep[]): [PlannedStep, number][] {
  const changing = new Set(plan.filter(isChange).map(({ path }) => parentsOf(path)[0]));
  return plan.flatMap((step): [PlannedStep, number][] => {
    const mode = modeOf(step.current) ?? OPEN;
    return changing.has(step.path) && (mode & OPEN) !== OPEN ? [[step, mode]] : [];
  });
}

function modeOf(state: EntryState): number | undefined {
  return state.kind === 'directory' ? state.mode : undefined;
}

async function remove(files: Files, { path, current }: PlannedStep, recorder: StepRecorder): Promise<void> {
  await refuseChanged(files, path, current);
  const others = current.kind === 'directory' ? (await files.list(path)).length : 0;
  if (others > 0) throw new Failure('E_CONFLICT', `it holds ${others} other entries now`);
  await recorder.remove(path, () => files.remove(path, { mayRemove: (inner) => inner === path }));
}

async function make(
  { files, state }: StepParts,
  step: PlannedStep,
  recorder: StepRecorder,
  callId: string,
): Promise<void> {
  const { path, current, target } = step;
  await refuseChanged(files, path, mustGo(step) ? { kind: 'missing' } : current);
  if (target.kind === 'link') await recorder.replace(path, target, () => files.makeLink(path, target.target));
  if (target.kind === 'directory' && current.kind !== 'directory')
    await recorder.replace(path, { kind: 'directory' }, () => files.makeDirectory(path));
  if (target.kind !== 'file') return;
  if (!losesContent(target, current)) {
    await recorder.replace(path, target, () => files.setMode(path, target.mode!));
    return;
  }
  const content = keptContent(state, target.hash);
  if (content === undefined) throw new Failure('E_IO', 'its kept content is damaged');
  const mode = target.mode === undefined ? {} : { mode: target.mode };
  await recorder.replace(path, target, () => files.write(path, content, { callId, ...mode }));
}

/** What changed while the undo was under way is left alone like what changed before. */
async function refuseChanged(files: Files, path: string, expected: EntryState): Promise<void> {
  const isSame =
    expected.kind === 'directory'
      ? (await kindAt(files, path)) === 'directory'
      : sameState((await capture(files, path)).state, expected);
  if (!isSame) throw new Failure('E_CONFLICT', 'it was changed since');
}
