/** The agent of `handrail chat` in the page, where a model is configured. */
import { type ReactNode, useState } from 'react';
import { useKeys } from '../../keys/keys.ts';
import { Panes } from '../../panes/panes.tsx';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { EmptyState, Trouble } from '../../parts/empty-state.tsx';
import { ItemList } from '../../parts/item-list.tsx';
import { Time } from '../../parts/time.tsx';
import { ReadOnly } from '../../questions/read-only.tsx';
import { useServer } from '../../server/server.tsx';
import { useLive } from '../../server/use-live.ts';
import { goTo, useAddress } from '../../shell/address.ts';
import { ViewTools } from '../../shell/view-tools.tsx';
import { ShownText } from '../../text/shown-text.tsx';
import { ConversationPane } from './conversation-pane.tsx';
import { NewConversation } from './new-conversation.tsx';
import { useWorking } from './use-working.ts';
import './chat.css';

export function ChatView(): ReactNode {
  const { mayAnswer } = useServer();
  const agents = useLive('agents', (client, signal) => client.listAgents({}, { signal }), []);
  if (!mayAnswer) return <ReadOnly />;
  if (agents.failure !== undefined) return <Trouble failure={agents.failure} />;
  if (agents.value === undefined) return null;
  if (agents.value.models.length === 0)
    return (
      <EmptyState title="No model is connected">
        Name one in your settings or set a provider's key, as `handrail chat` says, then start the server
        again.
      </EmptyState>
    );
  return <Conversations models={agents.value.models} />;
}

function Conversations({ models }: { readonly models: readonly string[] }): ReactNode {
  const { part } = useAddress();
  const [draft, setDraft] = useState(0);
  const { value, failure, reload } = useLive(
    'conversations',
    (client, signal) => client.listConversations({}, { signal }),
    ['conversations'],
  );
  const working = useWorking();
  const begin = (): void => {
    setDraft(draft + 1);
    goTo('chat');
  };
  useKeys('Chat', [{ key: 'n', does: 'A new conversation', run: begin }]);
  return (
    <>
      <ViewTools>
        <Button shortcut="n" onClick={begin}>
          New
        </Button>
      </ViewTools>
      <Panes
        list={
          <>
            {failure !== undefined && <Trouble failure={failure} />}
            <ItemList
              label="Conversations"
              items={value?.conversations ?? []}
              chosen={part}
              onChoose={(id) => goTo('chat', id)}
            >
              {({ id, title, at, agent, isWorking }) => (
                <>
                  <ShownText text={title} />
                  {(working.get(id) ?? isWorking) && <Badge tone="busy">works</Badge>}
                  <span className="second">
                    <Time at={at} /> · {agent}
                  </span>
                </>
              )}
            </ItemList>
          </>
        }
      >
        {part === undefined ? (
          <NewConversation key={draft} models={models} onStarted={reload} />
        ) : (
          <ConversationPane key={part} id={part} />
        )}
      </Panes>
    </>
  );
}
