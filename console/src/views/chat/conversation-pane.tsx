/** One conversation: what was said, the calls between, and what the agent writes as it writes it. */
import { type ReactNode, useEffect } from 'react';
import { Markdown } from '../../markdown/markdown.tsx';
import { Pane, useScroller } from '../../panes/panes.tsx';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Trouble } from '../../parts/empty-state.tsx';
import { useServer } from '../../server/server.tsx';
import { useAct } from '../../server/use-act.ts';
import { useLive } from '../../server/use-live.ts';
import { ShownText } from '../../text/shown-text.tsx';
import { MessageField } from './message-field.tsx';
import type { Piece } from './piece.ts';
import { SaidCallFold } from './said-call.tsx';
import { useTurn } from './use-turn.ts';

export function ConversationPane({ id }: { readonly id: string }): ReactNode {
  const { client } = useServer();
  const { value, failure, reload } = useLive(
    `conversation ${id}`,
    (from, signal) => from.showConversation({ id }, { signal }),
    ['conversations'],
  );
  const { pieces, isWorking } = useTurn(id, value, reload);
  const { act, trouble } = useAct(reload);
  return (
    <Pane
      of={id}
      label="The conversation"
      bar={
        <MessageField onSend={(message) => act(client.sendMessage({ id, message }))}>
          {isWorking && <Button onClick={() => act(client.interruptConversation({ id }))}>Interrupt</Button>}
        </MessageField>
      }
    >
      {[failure, trouble].map((one, index) => one !== undefined && <Trouble key={index} failure={one} />)}
      <ol className="said">
        {pieces.map((piece, index) => (
          <li key={index} className={piece.kind === 'said' ? piece.by : piece.kind}>
            <PieceShown piece={piece} />
          </li>
        ))}
      </ol>
      <p role="status">{isWorking && <Badge tone="busy">works</Badge>}</p>
      <KeepEnd of={pieces} />
    </Pane>
  );
}

function PieceShown({ piece }: { readonly piece: Piece }): ReactNode {
  if (piece.kind === 'call') return <SaidCallFold call={piece.call} />;
  if (piece.kind === 'said')
    return (
      <>
        <span className={piece.by === 'user' ? 'faint' : 'unseen'}>
          {piece.by === 'user' ? 'You' : 'Agent'}
        </span>
        <Markdown text={piece.text} />
      </>
    );
  return (
    <p className="faint">
      <ShownText text={piece.text} />
    </p>
  );
}

/** Keeps the newest in sight, for who has not scrolled away from it, or has just said something. */
function KeepEnd({ of }: { readonly of: readonly Piece[] }): ReactNode {
  const scroller = useScroller();
  useEffect(() => {
    if (scroller === null) return;
    const left = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight;
    const last = of.at(-1);
    const isOwn = last?.kind === 'said' && last.by === 'user';
    if (isOwn || left < 200 || scroller.scrollTop === 0) scroller.scrollTop = scroller.scrollHeight;
  }, [scroller, of]);
  return null;
}
