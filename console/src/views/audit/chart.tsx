/** A small chart: a title with its legend, a drawing as wide as there is room, and the times at its ends. */
import type { ReactNode } from 'react';
import { Time } from '../../parts/time.tsx';

/** The drawing is stretched to its place: lengths in it are counts across, and shares of this upwards. */
export const HEIGHT = 100;

export interface ChartProps {
  readonly title: string;
  /** What it shows, in a sentence. */
  readonly summary: string;
  /** What the top of it stands for. */
  readonly top: string;
  readonly from: number;
  readonly to: number;
  /** How many counts there are across. */
  readonly width: number;
  readonly legend: readonly (readonly [name: string, tone: string])[];
  readonly children: ReactNode;
}

export function Chart({ title, summary, top, from, to, width, legend, children }: ChartProps): ReactNode {
  return (
    <figure className="chart">
      <figcaption>
        <b>{title}</b>
        {legend.map(([name, tone]) => (
          <span key={name} className={`legend ${tone}`}>
            {name}
          </span>
        ))}
      </figcaption>
      <div className="drawing">
        <span className="top" aria-hidden="true">
          {top}
        </span>
        <svg role="img" aria-label={summary} viewBox={`0 0 ${width} ${HEIGHT}`} preserveAspectRatio="none">
          {children}
        </svg>
      </div>
      <p className="times" aria-hidden="true">
        <Time at={from} />
        <Time at={to} />
      </p>
    </figure>
  );
}
