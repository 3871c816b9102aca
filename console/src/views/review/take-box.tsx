/** A box that is checked where all of some chunks are taken, and half so where some are. */
import type { ReactNode } from 'react';

export interface TakeBoxProps {
  readonly label: string;
  readonly numbers: readonly number[];
  readonly taken: ReadonlySet<number>;
  readonly onToggle: () => void;
}

export function TakeBox({ label, numbers, taken, onToggle }: TakeBoxProps): ReactNode {
  const own = numbers.filter((number) => taken.has(number)).length;
  return (
    <input
      type="checkbox"
      aria-label={label}
      checked={own === numbers.length}
      ref={(box) => {
        if (box !== null) box.indeterminate = own > 0 && own < numbers.length;
      }}
      onChange={onToggle}
    />
  );
}
