/** `handrail turns` and `handrail undo`: what was changed, and the way back. */
import { createRuntime } from '../create-runtime.ts';
import type { TurnQuery, TurnSummary } from '../journal/turns.ts';
import type { UndoReport } from '../journal/undo.ts';
import type { UndoStep } from '../journal/undo-plan.ts';
import { FAILED, FINE, UsageError } from './exit-code.ts';
import { shown } from '../shown.ts';
import { noteStart } from './note-start.ts';
import { note, print, printJson, table } from './print.ts';
import type { Surroundings } from './surroundings.ts';

export interface TurnsArguments {
  readonly workspace?: string;
  readonly limit: string;
  readonly json?: boolean;
}

/** The newest turns of the workspace. */
export async function turns(
  options: TurnsArguments,
  { locations, folder, isTerminal }: Surroundings,
): Promise<void> {
  await using runtime = await createRuntime({
    workspace: options.workspace ?? folder,
    locations,
    readConfig: true,
  });
  noteStart(runtime);
  const found = await runtime.turns(positive('--limit', options.limit));
  if (options.json === true) printJson(found, isTerminal);
  else if (found.length === 0) note('Nothing was changed in this workspace yet.');
  else print(turnTable(found));
}

/** Turns as people look them over. */
export function turnTable(turns: readonly TurnSummary[]): string {
  return table(['TIME', 'TURN', 'WHAT', 'ENTRIES', 'STATE'], turns.map(turnRow));
}

function turnRow(turn: TurnSummary): string[] {
  const { id, kind, started_at, entries } = turn;
  return [
    new Date(started_at).toISOString().slice(0, 19).replace('T', ' '),
    id,
    kind,
    String(entries),
    stateOf(turn),
  ];
}

function stateOf({ undone_by, ended, process }: TurnSummary): string {
  if (undone_by !== null) return 'taken back';
  if (process !== undefined) return `under way in process ${process}`;
  return ended === 0 ? 'cut short' : '';
}

export interface UndoArguments {
  readonly workspace?: string;
  readonly turn?: string;
  readonly call?: string;
  readonly last?: string;
  readonly since?: string;
  readonly session?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** Takes turns back; the exit code says whether every entry could be. */
export async function undoTurns(
  options: UndoArguments,
  { locations, folder, isTerminal }: Surroundings,
): Promise<number> {
  const query = toQuery(options);
  await using runtime = await createRuntime({
    workspace: options.workspace ?? folder,
    locations,
    readConfig: true,
  });
  noteStart(runtime);
  const report = await runtime.undo(query, { dryRun: options.dryRun === true, by: 'command line' });
  if (options.json === true) printJson(report, isTerminal);
  else print(undoReport(report, options.dryRun === true));
  return report.steps.some(isLeftAlone) ? FAILED : FINE;
}

function toQuery({ turn, call, last, since, session }: UndoArguments): TurnQuery {
  const given = [turn, call, last, since, session].filter((value) => value !== undefined);
  if (given.length > 1) throw new UsageError('choose one of a turn, --call, --last, --since and --session.');
  if (turn !== undefined) return { turn };
  if (call !== undefined) return { call };
  if (since !== undefined) return { since: Date.now() - milliseconds(since) };
  if (session !== undefined) return { session };
  return { last: last === undefined ? 1 : positive('--last', last) };
}

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

function milliseconds(written: string): number {
  const [, amount, unit] = /^(\d+)([smhd])$/.exec(written) ?? [];
  if (amount === undefined || unit === undefined)
    throw new UsageError(`--since ${written} is not a time such as 30s, 10m, 2h or 1d.`);
  return Number(amount) * UNITS[unit]!;
}

function positive(name: string, written: string): number {
  const value = Number(written);
  if (!Number.isInteger(value) || value < 1)
    throw new UsageError(`${name} ${written} is not a positive whole number.`);
  return value;
}

const MARKS: Readonly<Record<UndoStep['action'], string>> = {
  restore: 'restored   ',
  remove: 'removed    ',
  keep: 'as it was  ',
  conflict: 'LEFT ALONE ',
  lost: 'LEFT ALONE ',
};

/** What became of an undo, an entry a line. */
export function undoReport({ turn, turns, takenBack, steps }: UndoReport, isDryRun: boolean): string {
  const entries = steps.map(
    ({ path, action, reason }) =>
      `${MARKS[action]}${shown(path)}${reason === undefined ? '' : ` (${reason})`}`,
  );
  const left = steps.filter(isLeftAlone).length;
  const leftAlone = left === 0 ? '' : `, but left ${left} ${left === 1 ? 'entry' : 'entries'} alone`;
  const end = isDryRun
    ? `This is what would be done to take back ${counted(turns)}; nothing was.`
    : turn !== undefined
      ? `Took back ${counted(takenBack)}${leftAlone}. \`handrail undo ${turn}\` takes this undo back.`
      : left === 0
        ? 'Nothing was changed: all of it was as before.'
        : 'Nothing was changed.';
  return [...entries, end].join('\n');
}

function counted({ length }: readonly string[]): string {
  return `${length} ${length === 1 ? 'turn' : 'turns'}`;
}

function isLeftAlone({ action }: UndoStep): boolean {
  return action === 'conflict' || action === 'lost';
}
