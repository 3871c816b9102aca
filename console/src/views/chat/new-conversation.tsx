/** The first message of a conversation, and which model it is for. */
import { type ReactNode, useState } from 'react';
import { Pane } from '../../panes/panes.tsx';
import { Choice } from '../../parts/choice.tsx';
import { EmptyState, Trouble } from '../../parts/empty-state.tsx';
import { useServer } from '../../server/server.tsx';
import { goTo } from '../../shell/address.ts';
import { MessageField } from './message-field.tsx';

export function NewConversation({
  models,
  onStarted,
}: {
  readonly models: readonly string[];
  readonly onStarted: () => void;
}): ReactNode {
  const { client } = useServer();
  const [model, setModel] = useState(models[0]!);
  const [failure, setFailure] = useState<Error>();
  const start = async (message: string): Promise<void> => {
    try {
      const { id } = await client.startConversation({ message, model });
      onStarted();
      goTo('chat', id);
    } catch (error) {
      setFailure(error as Error);
    }
  };
  return (
    <Pane
      of="new"
      label="A new conversation"
      bar={
        <MessageField onSend={(message) => void start(message)}>
          <Choice
            label="Model"
            value={model}
            options={models.map((name) => [name, name])}
            onChoose={setModel}
          />
        </MessageField>
      }
    >
      {failure !== undefined && <Trouble failure={failure} />}
      <EmptyState title="A new conversation">
        The agent works in this workspace with Handrail's tools. What it asks is under Approvals, what it
        changes under Changes.
      </EmptyState>
    </Pane>
  );
}
