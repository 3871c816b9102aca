/** What the person says about a chunk, for the agent to read. */
import { type ReactNode, useState } from 'react';
import { Button } from '../../parts/button.tsx';

export interface CommentFieldProps {
  readonly number: number;
  readonly text: string;
  readonly onSay: (text: string) => void;
  readonly onCancel: () => void;
}

export function CommentField({ number, text, onSay, onCancel }: CommentFieldProps): ReactNode {
  const [written, setWritten] = useState(text);
  return (
    <form
      className="comment-field"
      onSubmit={(event) => {
        event.preventDefault();
        onSay(written);
      }}
    >
      <input
        type="text"
        autoFocus
        aria-label={`Comment on chunk ${number}`}
        placeholder="For the agent to read"
        maxLength={2_000}
        value={written}
        onChange={({ target }) => setWritten(target.value)}
        onKeyDown={({ key }) => {
          if (key === 'Escape') onCancel();
        }}
      />
      <Button type="submit" shortcut="⏎">
        Keep
      </Button>
    </form>
  );
}
