/**
 * Takes turns back, three-way: an entry is restored only where it still is as the turn left it; what changed since is
 * reported and left alone. An undo is itself a turn, recorded step by step before each step, so that it can be undone
 * and, when it is cut short, gone on with.
 */
import { Failure } from '../failure.ts';
import type { PathLocks } from '../store/path-locks.ts';
import type { Change, Turns } from '../store/tables.ts';
import { type PreImageParts, recordChanges } from './pre-images.ts';
import {
  beginUndo,
  endUndo,
  letGoOfUndo,
  selectTurns,
  type TurnParts,
  type TurnQuery,
  unfinishedUndo,
} from './turns.ts';
import { isLeftAlone, makePlan, type UndoStep } from './undo-plan.ts';
import { takeSteps } from './undo-steps.ts';

export interface UndoParts extends TurnParts, PreImageParts {
  readonly locks: PathLocks;
}

export interface UndoReport {
  /** The undo's own turn; undefined in a dry run and where nothing was changed. */
  readonly turn?: string;
  /** The turns it was about. */
  readonly turns: readonly string[];
  /** Those of them that count as taken back now: not the ones of which everything was left alone. */
  readonly takenBack: readonly string[];
  readonly steps: readonly UndoStep[];
}

export interface UndoOptions {
  readonly dryRun: boolean;
  readonly callId: string;
  readonly session: string;
  /** Told what will be touched, before anything is. */
  readonly onPlan: (steps: readonly UndoStep[]) => void;
}

const NEVER = new AbortController().signal;

/** Takes turns back; a dry run only says what would be done. */
export async function undo(parts: UndoParts, query: TurnQuery, options: UndoOptions): Promise<UndoReport> {
  const { dryRun, callId, session, onPlan } = options;
  if (dryRun) {
    const unfinished = await unfinishedUndo(parts);
    const { history, ...prepared } = await prepare(parts, query, unfinished);
    return report(prepared, await makePlan(parts, history, unfinished));
  }
  const turn = await beginUndo(parts, session, query);
  try {
    const { wanted } = await prepare(parts, query, turn);
    const paths = [...wanted].map(({ path }) => path);
    await using _held = await parts.locks.hold(parts.workspace, paths, NEVER);
    // Whoever held a file until now may have changed it, and taken something back.
    const { history, ...prepared } = await prepare(parts, query, turn);
    const plan = await makePlan(parts, history, turn);
    onPlan(plan);
    const steps = await takeSteps(parts, plan, recordChanges(parts, { turn, callId, session }), callId);
    const done = report(prepared, steps);
    return { ...((await endUndo(parts, turn, done.takenBack)) ? { turn } : {}), ...done };
  } catch (error) {
    // Where the store is the trouble, that is what has to be said.
    await letGoOfUndo(parts, turn).catch(() => undefined);
    throw error;
  }
}

interface Prepared {
  readonly turns: readonly Turns[];
  /** Those of the turns. */
  readonly changes: readonly Change[];
  /** Those of them that are to be taken back. */
  readonly wanted: ReadonlySet<Change>;
}

async function prepare(
  parts: UndoParts,
  query: TurnQuery,
  undo: string | undefined,
): Promise<Prepared & { readonly history: readonly Change[] }> {
  const turns = await selectTurns(parts, query);
  if (turns.length === 0)
    throw new Failure('E_NOT_FOUND', 'There is no turn to take back.', {
      hint: '`handrail turns` lists what there is.',
    });
  const ids = turns.map(({ id }) => id);
  const rows = await parts.database
    .selectFrom('changes')
    .selectAll()
    .where('turn', 'in', undo === undefined ? ids : [...ids, undo])
    .orderBy('id')
    .execute();
  const changes = rows.filter(({ turn }) => turn !== undo);
  // An undo that was gone on with has several calls; it is taken back as the whole it is.
  const undos = new Set(turns.filter(({ kind }) => kind === 'undo').map(({ id }) => id));
  const isWanted = ({ turn, call_id }: Change): boolean =>
    !('call' in query) || call_id === query.call || undos.has(turn);
  const wanted = new Set(changes.filter(isWanted));
  const history = rows.filter((row) => row.turn === undo || wanted.has(row));
  return { turns, changes, wanted, history };
}

function report({ turns, changes, wanted }: Prepared, steps: readonly UndoStep[]): UndoReport {
  const left = new Set(steps.filter(isLeftAlone).map(({ path }) => path));
  const isTakenBack = ({ id }: Turns): boolean => {
    const own = changes.filter(({ turn }) => turn === id);
    return own.every((change) => wanted.has(change)) && !own.every(({ path }) => left.has(path));
  };
  return {
    turns: turns.map(({ id }) => id),
    takenBack: turns.filter(isTakenBack).map(({ id }) => id),
    steps: steps.map(({ path, action, reason }) => ({
      path,
      action,
      ...(reason === undefined ? {} : { reason }),
    })),
  };
}
