/** Copies a text, and says that it did. */
import { type ReactNode, useEffect, useState } from 'react';
import { Button } from './button.tsx';

export function CopyButton({
  text,
  label = 'Copy',
}: {
  readonly text: string;
  readonly label?: string;
}): ReactNode {
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setIsCopied(false), 1_500);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = (): void => void navigator.clipboard.writeText(text).then(() => setIsCopied(true));
  return (
    <Button kind="quiet" onClick={copy}>
      <span role="status">{isCopied ? 'Copied' : label}</span>
    </Button>
  );
}
