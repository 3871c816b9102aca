/** In place of answers, for who may not give any. */
import type { ReactNode } from 'react';

export function ReadOnly(): ReactNode {
  return (
    <span className="faint">
      To answer here, open the whole address that <code>handrail serve</code> printed.
    </span>
  );
}
