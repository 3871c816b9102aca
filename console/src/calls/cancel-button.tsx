/** Ends a call that runs in this server, whoever made it. */
import { type ReactNode, useState } from 'react';
import { Button } from '../parts/button.tsx';
import { useServer } from '../server/server.tsx';

export function CancelButton({ id }: { readonly id: string }): ReactNode {
  const { client, mayAnswer } = useServer();
  const [state, setState] = useState<'ready' | 'sent' | 'refused'>('ready');
  if (!mayAnswer) return null;
  const cancel = (): void => {
    setState('sent');
    client.cancelCall({ id }).catch(() => setState('refused'));
  };
  if (state === 'refused') return <span className="faint">It runs in another process.</span>;
  return (
    <Button kind="bad" disabled={state === 'sent'} onClick={cancel}>
      Cancel
    </Button>
  );
}
