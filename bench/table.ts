/** The results as one table: what was measured, what stands beside it, how they compare, whether the goal is met. */
import type { Sample } from './measure.ts';

export interface Row {
  readonly what: string;
  /** Absent where it could not be measured; then `note` says why. */
  readonly sample?: Sample;
  readonly beside?: { readonly what: string; readonly sample: Sample };
  readonly goal?: Goal;
  /** Something else than a time. */
  readonly figure?: Figure;
  readonly note?: string;
}

export interface Figure {
  readonly value: number;
  readonly unit: string;
  readonly beside?: { readonly what: string; readonly value: number };
  readonly atMost?: number;
  readonly atLeast?: number;
}

/** Where p50 should lie, and p99 where that is said: below a time, or at most so many times what stands beside it. */
export type Goal =
  | { readonly underMicroseconds: number }
  | { readonly atMostTimes: number; readonly alsoP99?: true };

const HEADINGS = ['what', 'min', 'p50', 'p99', 'beside it', 'min', 'p50', 'p99', 'ratio', 'goal', '', 'note'];
const LEFT_ALIGNED = new Set([0, 4, 9, 10, 11]);

/** The rows as text; ratios are of p50, with that of the minimum behind it. */
export function formatTable(rows: readonly Row[]): string {
  const lines = [HEADINGS, ...rows.map(cells)];
  const widths = HEADINGS.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  const pad = (cell: string, column: number): string =>
    LEFT_ALIGNED.has(column) ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!);
  const [head, ...body] = lines.map((line) => line.map(pad).join('  ').trimEnd());
  return [head, '-'.repeat(widths.reduce((sum, width) => sum + width + 2, -2)), ...body].join('\n');
}

function cells({ what, sample, beside, goal, figure, note = '' }: Row): string[] {
  if (figure !== undefined) return figureCells(what, figure, note);
  if (sample === undefined) return [what, '', '', '', '', '', '', '', '', '', 'not measured', note];
  const own = [what, time(sample.min), time(sample.p50), time(sample.p99)];
  const other = beside === undefined ? ['', '', '', '', ''] : besideCells(sample, beside);
  return [...own, ...other, ...goalCells(sample, beside?.sample, goal), note];
}

function besideCells(sample: Sample, { what, sample: other }: NonNullable<Row['beside']>): string[] {
  const ratios = `${times(sample.p50 / other.p50)} (${times(sample.min / other.min)})`;
  return [what, time(other.min), time(other.p50), time(other.p99), ratios];
}

function goalCells(sample: Sample, beside: Sample | undefined, goal: Goal | undefined): [string, string] {
  if (goal === undefined) return ['', ''];
  if ('underMicroseconds' in goal) {
    return [`p50 under ${time(goal.underMicroseconds)}`, verdict(sample.p50 < goal.underMicroseconds)];
  }
  const holds = (at: 'p50' | 'p99'): boolean =>
    beside !== undefined && sample[at] / beside[at] <= goal.atMostTimes;
  const isMet = holds('p50') && (goal.alsoP99 !== true || holds('p99'));
  const where = goal.alsoP99 === true ? ', p99 too' : '';
  return [`at most ${times(goal.atMostTimes)}${where}`, verdict(isMet)];
}

function figureCells(what: string, { value, unit, beside, atMost, atLeast }: Figure, note: string): string[] {
  const shown = (value: number): string => `${significant(value)} ${unit}`;
  const other = beside === undefined ? ['', '', ''] : [beside.what, '', shown(beside.value)];
  return [
    what,
    '',
    shown(value),
    '',
    ...other,
    '',
    beside === undefined ? '' : times(value / beside.value),
    atLeast === undefined ? `at most ${shown(atMost ?? Infinity)}` : `at least ${shown(atLeast)}`,
    verdict(atLeast === undefined ? value <= (atMost ?? Infinity) : value >= atLeast),
    note,
  ];
}

function verdict(isMet: boolean): string {
  return isMet ? 'met' : 'MISSED';
}

function time(microseconds: number): string {
  return microseconds < 1_000 ? `${significant(microseconds)} µs` : `${significant(microseconds / 1_000)} ms`;
}

function times(ratio: number): string {
  return `${significant(ratio)}×`;
}

function significant(value: number): string {
  if (value >= 100) return value.toFixed(0);
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
