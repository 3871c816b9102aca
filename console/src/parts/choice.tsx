/** One of a few: a select with its name. */
import type { ReactNode } from 'react';

export interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly (readonly [value: Value, text: string])[];
  readonly onChoose: (value: Value) => void;
}

export function Choice<Value extends string>({
  label,
  value,
  options,
  onChoose,
}: ChoiceProps<Value>): ReactNode {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={({ target }) => onChoose(options[target.selectedIndex]![0])}
    >
      {options.map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </select>
  );
}
