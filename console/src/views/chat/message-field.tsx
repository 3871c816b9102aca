/** Where the person writes: Enter sends, with Shift it is a new line. */
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { Button } from '../../parts/button.tsx';

const MAX_CHARACTERS = 10_000;

export function MessageField({
  onSend,
  children,
}: {
  readonly onSend: (message: string) => void;
  /** What else can be done there. */
  readonly children?: ReactNode;
}): ReactNode {
  const [message, setMessage] = useState('');
  const send = (): void => {
    if (message.trim() === '') return;
    onSend(message.trim());
    setMessage('');
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <form
      className="message-field"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <textarea
        aria-label="A message to the agent"
        placeholder="What should the agent do?"
        rows={3}
        maxLength={MAX_CHARACTERS}
        value={message}
        onChange={({ target }) => setMessage(target.value)}
        onKeyDown={onKeyDown}
      />
      <Button type="submit" kind="main">
        Send
      </Button>
      {children}
    </form>
  );
}
