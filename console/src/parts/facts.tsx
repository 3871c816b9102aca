/** Names and what there is to them; a name with nothing to it is left out. */
import type { ReactNode } from 'react';
import { ShownText } from '../text/shown-text.tsx';
import './facts.css';

export type Fact = readonly [name: string, values: ReactNode | readonly (string | undefined)[]];

export function Facts({ facts }: { readonly facts: readonly Fact[] }): ReactNode {
  return (
    <dl className="facts">
      {facts.flatMap(([name, values]) => {
        const all = Array.isArray(values)
          ? (values as (string | undefined)[]).filter((value) => value !== undefined && value !== '')
          : [values as ReactNode];
        if (all.length === 0) return [];
        return [
          <div key={name}>
            <dt>{name}</dt>
            {all.map((value, index) => (
              <dd key={index}>{typeof value === 'string' ? <ShownText text={value} /> : value}</dd>
            ))}
          </div>,
        ];
      })}
    </dl>
  );
}
