/** How the calls that are listed ended. */
import type { ReactNode } from 'react';
import { Choice } from '../parts/choice.tsx';
import { type Outcome, OUTCOMES } from './call.ts';

export type WantedOutcome = Outcome | 'any';

export function OutcomeChoice({
  outcome,
  onChoose,
}: {
  readonly outcome: WantedOutcome;
  readonly onChoose: (outcome: WantedOutcome) => void;
}): ReactNode {
  return (
    <Choice
      label="Outcome"
      value={outcome}
      onChoose={onChoose}
      options={[['any', 'any outcome'], ...OUTCOMES.map((one) => [one, one] as const)]}
    />
  );
}
