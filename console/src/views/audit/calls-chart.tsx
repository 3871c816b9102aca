/** How many calls there were over time, and how they ended. */
import type { ReactNode } from 'react';
import type { Counts } from './audit-charts.tsx';
import { Chart, HEIGHT } from './chart.tsx';

/** From the bottom up; what ended in any other way counts as failed. */
const STACK = [
  ['ok', 'good'],
  ['failed', 'warn'],
  ['denied', 'bad'],
  ['running', 'busy'],
] as const;

export function CallsChart({ counts: { from, to, bucket, counts } }: { readonly counts: Counts }): ReactNode {
  const most = Math.max(1, ...counts.map(({ calls }) => calls));
  const total = counts.reduce((sum, { calls }) => sum + calls, 0);
  return (
    <Chart
      title={`${total.toLocaleString()} calls`}
      summary={`${total} calls, at most ${most} at a time; there is a table of them`}
      top={most.toLocaleString()}
      from={from}
      to={to}
      width={(to - from) / bucket}
      legend={STACK}
    >
      {counts.flatMap((count) => {
        let below = 0;
        return STACK.map(([name, tone]) => {
          const share = (ended(name, count) / most) * HEIGHT;
          below += share;
          return share === 0 ? null : (
            <rect
              key={`${count.at} ${name}`}
              className={tone}
              x={(count.at - from) / bucket + 0.1}
              width={0.8}
              y={HEIGHT - below}
              height={share}
            >
              <title>{`${new Date(count.at).toLocaleString()}: ${count.calls} calls`}</title>
            </rect>
          );
        });
      })}
    </Chart>
  );
}

function ended(name: (typeof STACK)[number][0], { calls, outcomes }: Counts['counts'][number]): number {
  const { ok = 0, denied = 0, running = 0 } = outcomes;
  return name === 'failed' ? calls - ok - denied - running : (outcomes[name] ?? 0);
}
