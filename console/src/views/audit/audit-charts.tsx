/** Calls by outcome, and how long they took, over time. What the drawings show stands in a table behind them too. */
import { type ReactNode, useState } from 'react';
import type { OutputOf } from '../../../../src/client/index.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Trouble } from '../../parts/empty-state.tsx';
import { useLive } from '../../server/use-live.ts';
import { CallsChart } from './calls-chart.tsx';
import { CountTable } from './count-table.tsx';
import { LatencyChart } from './latency-chart.tsx';
import { type Span, SPANS } from './spans.ts';

export type Counts = OutputOf<'auditCounts'>;

/** Every call of the span is counted each time. */
const REST_MS = 10_000;

export function AuditCharts({
  span,
  workspace,
}: {
  readonly span: Span;
  readonly workspace: 'all' | 'own';
}): ReactNode {
  const { length, bucket, title } = SPANS[span];
  const { value, failure } = useLive(
    `counts/${span}/${workspace}`,
    (client, signal) => {
      const to = Math.ceil(Date.now() / bucket) * bucket;
      return client.auditCounts({ from: to - length, to, bucket, workspace }, { signal });
    },
    ['calls'],
    REST_MS,
  );
  const [isTable, setIsTable] = useState(false);
  if (failure !== undefined) return <Trouble failure={failure} />;
  if (value === undefined) return <div className="audit-charts" aria-busy="true" />;
  return (
    <div className="audit-charts">
      <CallsChart counts={value} />
      <LatencyChart counts={value} />
      <Button kind="quiet" className="as-table" onClick={() => setIsTable(true)}>
        As a table
      </Button>
      {isTable && (
        <Dialog title={`Calls, ${title}`} onClose={() => setIsTable(false)}>
          <CountTable counts={value} />
        </Dialog>
      )}
    </div>
  );
}
