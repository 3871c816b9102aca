/** How long calls took over time: half of them at most, and all but one in twenty. */
import type { ReactNode } from 'react';
import { duration } from '../../parts/time.tsx';
import type { Counts } from './audit-charts.tsx';
import { Chart, HEIGHT } from './chart.tsx';

const LINES = [
  ['p50', 'median', 'good'],
  ['p95', '95 %', 'warn'],
] as const;

export function LatencyChart({
  counts: { from, to, bucket, counts },
}: {
  readonly counts: Counts;
}): ReactNode {
  const most = Math.max(1, ...counts.map(({ p95 }) => p95 ?? 0));
  const x = (at: number): number => (at - from) / bucket + 0.5;
  // Calls take a millisecond or minutes: only their order of magnitude has room.
  const y = (took: number): number => HEIGHT * (0.98 - 0.96 * (Math.log1p(took) / Math.log1p(most)));
  return (
    <Chart
      title="Latency"
      summary={`At most ${duration(most)} for 95 % of the calls; there is a table of them`}
      top={duration(most)}
      from={from}
      to={to}
      width={(to - from) / bucket}
      legend={LINES.map(([, title, tone]) => [title, tone] as const)}
    >
      {LINES.map(([name, title, tone]) => {
        const points = counts.flatMap(({ at, [name]: took }) => (took === null ? [] : [{ at, took }]));
        return (
          <g key={name} className={tone}>
            <polyline points={points.map(({ at, took }) => `${x(at)},${y(took)}`).join(' ')} />
            {points.map(({ at, took }) => (
              <path key={at} className="dot" d={`M${x(at)} ${y(took)}h0`}>
                <title>{`${new Date(at).toLocaleString()}: ${title} ${duration(took)}`}</title>
              </path>
            ))}
          </g>
        );
      })}
    </Chart>
  );
}
