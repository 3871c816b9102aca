/** What undo would do, path by path: three states are compared, and only what is as the turns left it is put back. */
import type { Files, StateDirectory } from '../host/ports.ts';
import type { Changes } from '../store/tables.ts';
import { capture, type EntryState, sameState } from './entry-state.ts';
import { objectFile } from './pre-images.ts';

interface PlanParts {
  readonly files: Files;
  readonly state: StateDirectory;
}

/** What undo does, or would do, with one entry. */
export interface UndoStep {
  readonly path: string;
  /** `restore` and `remove` are done; `keep` was so already; `conflict` and `lost` are left alone. */
  readonly action: 'restore' | 'remove' | 'keep' | 'conflict' | 'lost';
  readonly reason?: string;
}

/** What is to be done about one path. */
export interface PlannedStep {
  readonly path: string;
  readonly target: EntryState;
  readonly object: string | null;
  readonly calls: readonly string[];
  readonly action: UndoStep['action'];
  readonly reason?: string;
}

/** Judges every path the changes touched by its state now; looks, and changes nothing. */
export async function makePlan(parts: PlanParts, changes: readonly Changes[]): Promise<PlannedStep[]> {
  const plan: PlannedStep[] = [];
  const lostCalls = new Set<string>();
  for (const history of historiesOf(changes)) {
    const { state: current } = await capture(parts.files, history.path);
    const step = { ...history, ...judge(parts, history, current) };
    if (step.action === 'lost') for (const call of step.calls) lostCalls.add(call);
    plan.push(step);
  }
  // What was moved is not taken from its new place where the old one can't be filled again.
  return plan.map((step) =>
    step.action === 'remove' && step.calls.some((call) => lostCalls.has(call))
      ? { ...step, action: 'conflict', reason: 'the content that belongs to it was not kept' }
      : step,
  );
}

/** Everything the turns did to one path: from the first state before to the last one after. */
interface History {
  readonly path: string;
  readonly target: EntryState;
  readonly object: string | null;
  readonly calls: string[];
  expected: EntryState;
  /** The state before the last change: a crash may have kept that one from happening. */
  lastBefore: EntryState;
  /** Somebody else changed it between two of the changes. */
  hasGap: boolean;
}

function historiesOf(changes: readonly Changes[]): Iterable<History> {
  const byPath = new Map<string, History>();
  for (const { path, before, after, object, call_id } of changes) {
    const from = JSON.parse(before) as EntryState;
    const expected = JSON.parse(after) as EntryState;
    const known = byPath.get(path);
    if (known === undefined) {
      byPath.set(path, {
        path,
        target: from,
        object,
        calls: [call_id],
        expected,
        lastBefore: from,
        hasGap: false,
      });
      continue;
    }
    known.hasGap ||= !sameState(known.expected, from) && !sameState(known.lastBefore, from);
    known.expected = expected;
    known.lastBefore = from;
    known.calls.push(call_id);
  }
  return byPath.values();
}

function judge(
  { state }: PlanParts,
  history: History,
  current: EntryState,
): Pick<PlannedStep, 'action' | 'reason'> {
  const { target, object, expected, lastBefore, hasGap } = history;
  if (sameState(current, target)) return { action: 'keep' };
  if (hasGap) return { action: 'conflict', reason: 'somebody else changed it in between' };
  if (!sameState(current, expected) && !sameState(current, lastBefore)) {
    return {
      action: 'conflict',
      reason: current.kind === 'missing' ? 'it is gone now' : 'it was changed since',
    };
  }
  if (target.kind === 'missing') return { action: 'remove' };
  const isLost =
    target.kind === 'other' ||
    (target.kind === 'file' && (object === null || !state.exists(objectFile(object))));
  return isLost ? { action: 'lost', reason: 'its content was not kept' } : { action: 'restore' };
}
