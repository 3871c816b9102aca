/** What the charts show, as a table. */
import type { ReactNode } from 'react';
import { duration, Time } from '../../parts/time.tsx';
import type { Counts } from './audit-charts.tsx';

export function CountTable({ counts: { counts } }: { readonly counts: Counts }): ReactNode {
  const outcomes = [...new Set(counts.flatMap((count) => Object.keys(count.outcomes)))];
  const numbers = ['Calls', ...outcomes, 'median', '95 %'];
  return (
    <table className="data-table">
      <thead>
        <tr>
          <th scope="col">From</th>
          {numbers.map((head) => (
            <th key={head} scope="col" className="number">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {counts.map(({ at, calls, outcomes: ended, p50, p95 }) => {
          const values = [calls, ...outcomes.map((outcome) => ended[outcome] ?? 0)];
          const cells = [...values.map((value) => value.toLocaleString()), span(p50), span(p95)];
          return (
            <tr key={at}>
              <th scope="row">
                <Time at={at} />
              </th>
              {cells.map((cell, index) => (
                <td key={numbers[index]} className="number">
                  {cell}
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function span(milliseconds: number | null): string {
  return milliseconds === null ? '' : duration(milliseconds);
}
