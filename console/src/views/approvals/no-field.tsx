/** A no, with a reason for the agent to read. */
import { type ReactNode, type RefObject, useState } from 'react';
import { Button } from '../../parts/button.tsx';

export interface NoFieldProps {
  readonly field?: RefObject<HTMLInputElement | null>;
  /** What the reason is for. */
  readonly label: string;
  readonly hint: string;
  /** What the button does. */
  readonly text: string;
  readonly shortcut?: string;
  readonly onNo: (reason: string) => void;
}

export function NoField({ field, label, hint, text, shortcut, onNo }: NoFieldProps): ReactNode {
  const [reason, setReason] = useState('');
  return (
    <form
      className="no-field"
      onSubmit={(event) => {
        event.preventDefault();
        onNo(reason);
      }}
    >
      <input
        ref={field}
        type="text"
        aria-label={label}
        placeholder={hint}
        maxLength={2_000}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Escape') currentTarget.blur();
        }}
      />
      <Button type="submit" kind="bad" {...(shortcut === undefined ? {} : { shortcut })}>
        {text}
      </Button>
    </form>
  );
}
