/** How many calls there were over time, how they ended, and how long they took. */
import { sql } from 'kysely';
import type { Database } from '../store/store.ts';

export interface CountQuery {
  readonly workspace?: string | undefined;
  /** From this time, and before that one. */
  readonly from: number;
  readonly to: number;
  /** How long each count lasts. */
  readonly bucketMs: number;
}

/** The calls that began in a stretch of time; stretches without any are left out. */
export interface CallCounts {
  /** When it begins. */
  readonly at: number;
  readonly calls: number;
  /** By outcome; `running` have none yet. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Of those that ended, in milliseconds; null where none did. */
  readonly p50: number | null;
  readonly p95: number | null;
}

interface Group {
  readonly bucket: number;
  readonly outcome: string;
  readonly calls: number;
  readonly durations: string | null;
}

/** Counts in one walk through an index that has all it needs. */
export async function countCalls(
  database: Database,
  { workspace, from, to, bucketMs }: CountQuery,
): Promise<CallCounts[]> {
  const here = workspace === undefined ? sql`` : sql`and workspace = ${workspace}`;
  // The planner would rather look up every row by its workspace.
  const { rows } = await sql<Group>`
    select cast((at - ${from}) / ${bucketMs} as integer) as bucket, coalesce(outcome, 'running') as outcome, count(*) as calls,
      group_concat(round(duration_ms, 2)) as durations
    from audit_calls indexed by audit_calls_over_time
    where at >= ${from} and at < ${to} ${here}
    group by 1, 2 order by 1, 2`.execute(database);
  const buckets = Map.groupBy(rows, ({ bucket }) => bucket);
  return [...buckets].map(([bucket, groups]) => ({
    at: from + bucket * bucketMs,
    calls: groups.reduce((sum, { calls }) => sum + calls, 0),
    outcomes: Object.fromEntries(groups.map(({ outcome, calls }) => [outcome, calls])),
    ...percentiles(groups),
  }));
}

function percentiles(groups: readonly Group[]): Pick<CallCounts, 'p50' | 'p95'> {
  const written = groups.flatMap(({ durations }) => (durations === null ? [] : durations.split(',')));
  const sorted = Float64Array.from(written, Number).sort();
  const at = (share: number): number | null => sorted[Math.ceil(share * sorted.length) - 1] ?? null;
  return { p50: at(0.5), p95: at(0.95) };
}
