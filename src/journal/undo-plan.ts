/**
 * What undo would do, path by path: three states are compared, and only what is as the turns left it is put back. Then
 * the steps are held against each other, so that a dry run says what will be done.
 */
import type { Files, FileStat, StateDirectory } from '../host/ports.ts';
import type { Change } from '../store/tables.ts';
import { type EntryState, sameState } from '../host/entry-state.ts';
import { losesContent } from './change-rows.ts';
import { capture, kindAt } from './entry-state.ts';
import { keptContent, objectFile } from './kept-contents.ts';

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
export interface PlannedStep extends UndoStep {
  readonly current: EntryState;
  /** Of a file that is there now. */
  readonly stat: FileStat | undefined;
  readonly target: EntryState;
  /** The calls whose changes it takes back. */
  readonly calls: readonly string[];
}

/** Whether a step changes the entry. */
export function isChange({ action }: UndoStep): boolean {
  return action === 'restore' || action === 'remove';
}

/** Whether a step could not be taken. */
export function isLeftAlone({ action }: UndoStep): boolean {
  return action === 'conflict' || action === 'lost';
}

/** Whether what is there has to go, since it is not to be or since what is to be can't simply replace it. */
export function mustGo({ action, current, target }: PlannedStep): boolean {
  if (action === 'remove') return true;
  if (action !== 'restore' || current.kind === 'missing') return false;
  return current.kind !== target.kind || current.kind === 'link';
}

/** How many names the path of a step has. */
export function depthOf({ path }: UndoStep): number {
  return path.split('/').length;
}

/** Judges every path the changes touched by its state now; looks, and changes nothing. `continued` is an undo that was cut short. */
export async function makePlan(
  parts: PlanParts,
  changes: readonly Change[],
  continued?: string,
): Promise<PlannedStep[]> {
  const plan = new Map<string, PlannedStep>();
  for (const history of historiesOf(changes, continued)) {
    const { path, target, calls } = history;
    const { state: current, stat } = await capture(parts.files, path);
    plan.set(path, { path, target, calls, current, stat, ...judge(parts, history, current) });
  }
  await settle(parts.files, plan);
  return [...plan.values()];
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

function historiesOf(changes: readonly Change[], continued: string | undefined): Iterable<History> {
  const byPath = new Map<string, History>();
  for (const { turn, path, before, after, object, call_id } of changes) {
    const from = JSON.parse(before) as EntryState;
    const expected = JSON.parse(after) as EntryState;
    const known = byPath.get(path);
    if (known !== undefined) {
      known.hasGap ||= !sameState(known.expected, from) && !sameState(known.lastBefore, from);
      known.expected = expected;
      known.lastBefore = from;
      known.calls.push(call_id);
    } else if (turn !== continued || isOpened(from, expected)) {
      const history = { path, target: from, object, calls: [call_id], expected, lastBefore: from };
      byPath.set(path, { ...history, hasGap: false });
    }
  }
  return byPath.values();
}

/** A directory that the undo itself opened to get at what is in it, and did not get to close again. */
function isOpened(before: EntryState, after: EntryState): boolean {
  return before.kind === 'directory' && after.kind === 'directory';
}

type Judgement = Pick<UndoStep, 'action' | 'reason'>;

function judge({ state }: PlanParts, history: History, current: EntryState): Judgement {
  const { target, object, expected, lastBefore, hasGap } = history;
  const isContentThere = !losesContent(target, current);
  const isKept = object !== null && state.exists(objectFile(object));
  // An index that says the same in other bytes is put back to the byte, where that can be.
  if (sameState(current, target) && (isContentThere || !isKept)) return { action: 'keep' };
  if (hasGap) return { action: 'conflict', reason: 'somebody else changed it in between' };
  if (!sameState(current, expected) && !sameState(current, lastBefore))
    return { action: 'conflict', reason: CHANGED[current.kind] ?? 'it was changed since' };
  if (target.kind === 'missing') return { action: 'remove' };
  if (target.kind !== 'other' && isContentThere) return { action: 'restore' };
  if (!isKept) return { action: 'lost', reason: 'its content was not kept' };
  return keptContent(state, object) === undefined
    ? { action: 'lost', reason: 'its kept content is damaged' }
    : { action: 'restore' };
}

const CHANGED: Partial<Record<EntryState['kind'], string>> = {
  missing: 'it is gone now',
  other: 'what is there can not be compared',
};

/** Leaves alone what the rest of the plan speaks against, until nothing does any more. */
async function settle(files: Files, plan: Map<string, PlannedStep>): Promise<void> {
  const prospect = await foresee(files, plan);
  let isSettled = false;
  while (!isSettled) {
    isSettled = true;
    const left = new Set([...plan.values()].filter(isLeftAlone).flatMap(contentsOf));
    for (const step of [...plan.values()].filter(isChange).sort(deepestFirst)) {
      const reason = objection(step, prospect, left);
      if (reason === undefined) continue;
      plan.set(step.path, { ...step, action: 'conflict', reason });
      isSettled = false;
    }
  }
}

const deepestFirst = (one: UndoStep, other: UndoStep): number => depthOf(other) - depthOf(one);

/** The content that a step is about, as part of what its calls did. */
function contentsOf({ calls, target }: Pick<PlannedStep, 'calls' | 'target'>): string[] {
  return target.kind === 'file' ? calls.map((call) => `${call} ${target.hash}`) : [];
}

function objection(step: PlannedStep, prospect: Prospect, left: ReadonlySet<string>): string | undefined {
  const { path, action, current, target, calls } = step;
  if (current.kind === 'directory' && mustGo(step)) {
    const others = prospect.entriesIn(path);
    if (others > 0) return `it holds ${others} other ${others === 1 ? 'entry' : 'entries'} now`;
  }
  if (action === 'restore' && prospect.isBarred(path)) return 'something else stands where its directory was';
  // What was moved is not taken from its new place where the old one is not filled again.
  const isMovedBack = contentsOf({ calls, target: current }).some((content) => left.has(content));
  if (target.kind === 'missing' && isMovedBack) return 'what belongs to it is not put back';
  return undefined;
}

/** What will be there once the plan, as it stands, was carried out. */
interface Prospect {
  /** How many entries a directory that is there now will hold. */
  entriesIn(path: string): number;
  /** Whether something that is no directory will be on the way to a path. */
  isBarred(path: string): boolean;
}

async function foresee(files: Files, plan: ReadonlyMap<string, PlannedStep>): Promise<Prospect> {
  const entries = new Map<string, Set<string>>();
  const unplanned = new Map<string, EntryState['kind']>();
  const entriesOf = (path: string): Set<string> => {
    if (!entries.has(path)) entries.set(path, new Set());
    return entries.get(path)!;
  };
  for (const step of plan.values()) {
    const parents = parentsOf(step.path);
    if (parents[0] !== undefined) entriesOf(parents[0]).add(step.path);
    for (const parent of parents.filter((path) => !plan.has(path) && !unplanned.has(path)))
      unplanned.set(parent, await kindAt(files, parent));
    if (step.current.kind === 'directory' && mustGo(step))
      for (const { name } of await files.list(step.path)) entriesOf(step.path).add(`${step.path}/${name}`);
  }
  const kindOf = (path: string): EntryState['kind'] => {
    const step = plan.get(path);
    // What is not planned was found there, even where its name can't be written.
    if (step === undefined) return unplanned.get(path) ?? 'other';
    return isChange(step) ? step.target.kind : step.current.kind;
  };
  return {
    entriesIn: (path) => [...entriesOf(path)].filter((entry) => kindOf(entry) !== 'missing').length,
    isBarred: (path) => {
      const nearest = parentsOf(path).find((parent) => kindOf(parent) !== 'missing');
      return nearest !== undefined && kindOf(nearest) !== 'directory';
    },
  };
}

/** The directories a path lies in, the nearest first; the workspace itself is none of them. */
export function parentsOf(path: string): string[] {
  const names = path.split('/');
  return names.slice(1).map((_, index) => names.slice(0, names.length - 1 - index).join('/'));
}
