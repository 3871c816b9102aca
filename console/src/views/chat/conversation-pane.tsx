/** One conversation: what was said, the calls between, and what the agent writes as it writes it. */
import { type ReactNode, useEffect } from 'react';
import { Pane, useScroller } from '../../panes/panes.tsx';
import { Badge, OutcomeBadge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Trouble } from '../../parts/empty-state.tsx';
import { useServer } from '../../server/server.tsx';
import { useAct } from '../../server/use-act.ts';
import { useLive } from '../../server/use-live.ts';
import { visibleJson } from '../../text/escapes.ts';
import { ShownText, TextBox } from '../../text/shown-text.tsx';
import { MessageField } from './message-field.tsx';
import { type Piece, useTurn } from './use-turn.ts';

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
        {value?.entries.map((entry, index) => (
          <li key={index} className={entry.by}>
            {entry.by !== 'tool' && entry.text !== '' && <Said by={entry.by} text={entry.text} />}
            {entry.calls.map((call) => (
              <Fold key={call.id} title={call.tool} text={visibleJson(call.args)} />
            ))}
            {entry.results.map((result) => (
              <Fold key={result.id} title={`${result.tool} answered`} text={result.text} />
            ))}
          </li>
        ))}
        {pieces.map((piece, index) => (
          <li key={`piece ${index}`} className="assistant">
            <PieceShown piece={piece} />
          </li>
        ))}
      </ol>
      <p role="status">{isWorking && <Badge tone="busy">works</Badge>}</p>
      <KeepEnd of={`${value?.entries.length} ${pieces.length} ${pieces.at(-1)?.text.length}`} />
    </Pane>
  );
}

function Said({ by, text }: { readonly by: 'user' | 'assistant'; readonly text: string }): ReactNode {
  return (
    <div className="saying">
      <span className="faint">{by === 'user' ? 'You' : 'Agent'}</span>
      <p>
        {text.split('\n').map((line, index) => (
          <span key={index}>
            <ShownText text={line} />
            {'\n'}
          </span>
        ))}
      </p>
    </div>
  );
}

function PieceShown({ piece }: { readonly piece: Piece }): ReactNode {
  if (piece.kind === 'text') return <Said by="assistant" text={piece.text} />;
  if (piece.kind === 'note')
    return (
      <p className="faint">
        <ShownText text={piece.text} />
      </p>
    );
  return (
    <p>
      <code>{piece.text}</code> <OutcomeBadge outcome={piece.outcome} />
    </p>
  );
}

function Fold({ title, text }: { readonly title: string; readonly text: string }): ReactNode {
  return (
    <details className="said-call">
      <summary>
        <code>
          <ShownText text={title} />
        </code>
      </summary>
      <TextBox text={text} label={title} />
    </details>
  );
}

/** Keeps the newest in sight, for who has not scrolled away from it. */
function KeepEnd({ of }: { readonly of: string }): ReactNode {
  const scroller = useScroller();
  useEffect(() => {
    if (scroller === null) return;
    const left = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight;
    if (left < 200 || scroller.scrollTop === 0) scroller.scrollTop = scroller.scrollHeight;
  }, [scroller, of]);
  return null;
}
