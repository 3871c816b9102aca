/**
 * Carries out a planned undo. Closed directories are opened, what has to go goes from the deepest, what was there comes
 * back from the root, and directories get their modes last. Each of these is one change, on record before it is made.
 */
import { Failure } from '../failure.ts';
import type { Files, StateDirectory } from '../host/ports.ts';
import { type EntryState, sameState } from '../host/entry-state.ts';
import { losesContent } from './change-rows.ts';
import { capture, statOf } from './entry-state.ts';
import { keptContent } from './kept-contents.ts';
import type { ChangeRecorder, StatedChange } from './pre-images.ts';
import { depthOf, isChange, mustGo, parentsOf, type PlannedStep, type UndoStep } from './undo-plan.ts';

interface StepParts {
  readonly files: Files;
  readonly state: StateDirectory;
}

/** Keeps what the undo of the undo needs. */
export type StepRecorder = Pick<ChangeRecorder, 'each'>;

/** Takes the steps; one entry that can't be put back does not keep the others from it. */
export async function takeSteps(
  parts: StepParts,
  plan: readonly PlannedStep[],
  recorder: StepRecorder,
  callId: string,
): Promise<UndoStep[]> {
  const { files } = parts;
  const results = new Map<string, UndoStep>(plan.map((step) => [step.path, step]));
  const isDue = (step: PlannedStep): boolean => isChange(results.get(step.path) ?? step);
  const take = async (steps: readonly Step[]): Promise<void> => {
    const byPath = new Map(steps.map((step) => [step.path, step]));
    const failures = await recorder.each(steps, (path) => byPath.get(path)!.work());
    for (const [path, { message }] of failures)
      if (results.has(path)) results.set(path, { path, action: 'conflict', reason: message });
  };
  const setMode = (path: string, before: EntryState, mode: number): Step => ({
    path,
    before,
    after: { kind: 'directory', mode },
    work: () => files.setMode(path, mode, { callId }),
  });
  const around = await closedAround(files, plan);
  const fromTheRoot = [...plan, ...around].sort((one, other) => depthOf(one) - depthOf(other));
  const fromTheDeepest = fromTheRoot.toReversed();

  const closed = new Map(closedDirectories(fromTheRoot));
  await take([...closed].map(([{ path, current }, mode]) => setMode(path, current, mode | OPEN)));
  const isGoing = (step: PlannedStep): boolean => mustGo(step) && isDue(step);
  await take(fromTheDeepest.filter(isGoing).map((step) => removal(files, step, closed.has(step))));
  const isComing = (step: PlannedStep): boolean => step.action === 'restore' && isDue(step);
  await take(fromTheRoot.filter(isComing).flatMap((step) => making(parts, step, callId)));
  const modes: Step[] = [];
  for (const step of fromTheDeepest) {
    const wanted = isDue(step) ? modeOf(step.target) : closed.get(step);
    if (wanted === undefined) continue;
    const { state } = await capture(files, step.path);
    if (state.kind === 'directory' && state.mode !== wanted) modes.push(setMode(step.path, state, wanted));
  }
  await take(modes);
  return [...results.values()];
}

/** One change, and how it is made. */
interface Step extends StatedChange {
  readonly work: () => Promise<unknown>;
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

/** Directories that the turns left as they were, though they changed something in them: opened, and closed again. */
async function closedAround(files: Files, plan: readonly PlannedStep[]): Promise<PlannedStep[]> {
  const planned = new Set(plan.map(({ path }) => path));
  const changing = new Set(plan.filter(isChange).flatMap(({ path }) => parentsOf(path).slice(0, 1)));
  const closed: PlannedStep[] = [];
  for (const path of [...changing].filter((parent) => !planned.has(parent))) {
    const { state } = await capture(files, path);
    const mode = modeOf(state) ?? OPEN;
    const asItIs = { current: state, target: state, stat: undefined, calls: [] };
    if ((mode & OPEN) !== OPEN) closed.push({ path, action: 'keep', ...asItIs });
  }
  return closed;
}

function modeOf(state: EntryState): number | undefined {
  return state.kind === 'directory' ? state.mode : undefined;
}

function removal(files: Files, step: PlannedStep, isOpened: boolean): Step {
  const { path, current, stat } = step;
  const mode = modeOf(current);
  return {
    path,
    before: isOpened && mode !== undefined ? { kind: 'directory', mode: mode | OPEN } : current,
    size: stat?.size,
    after: { kind: 'missing' },
    async work() {
      await refuseChanged(files, step, current);
      const others = current.kind === 'directory' ? (await files.list(path)).length : 0;
      if (others > 0) throw new Failure('E_CONFLICT', `it holds ${others} other entries now`);
      await files.remove(path, { mayRemove: (inner) => inner === path });
    },
  };
}

function making({ files, state }: StepParts, step: PlannedStep, callId: string): Step[] {
  const { path, current, target, stat } = step;
  const before: EntryState = mustGo(step) ? { kind: 'missing' } : current;
  const make = (after: EntryState, work: () => Promise<unknown>): Step[] => [
    {
      path,
      before,
      size: stat?.size,
      after,
      async work() {
        await refuseChanged(files, step, before);
        await work();
      },
    },
  ];
  if (target.kind === 'link') return make(target, () => files.makeLink(path, target.target));
  if (target.kind === 'directory')
    return current.kind === 'directory' ? [] : make({ kind: 'directory' }, () => files.makeDirectory(path));
  if (target.kind !== 'file') return [];
  if (!losesContent(target, before)) return make(target, () => files.setMode(path, target.mode!, { callId }));
  return make(target, async () => {
    const content = keptContent(state, target.hash);
    if (content === undefined) throw new Failure('E_IO', 'its kept content is damaged');
    const expected = before.kind === 'file' ? stat!.version : 'missing';
    await files.write(path, content, {
      callId,
      expected,
      ...(target.mode === undefined ? {} : { mode: target.mode }),
    });
  });
}

/** What changed while the undo was under way is left alone like what changed before. */
async function refuseChanged(files: Files, { path, stat }: PlannedStep, expected: EntryState): Promise<void> {
  const found = await statOf(files, path);
  // What is still the same file, written at the same time, is the same.
  const isSame =
    expected.kind === 'directory' || (expected.kind === 'file' && found?.version === stat?.version)
      ? found?.kind === expected.kind
      : sameState((await capture(files, path)).state, expected);
  if (!isSame) throw new Failure('E_CONFLICT', 'it was changed since');
}
