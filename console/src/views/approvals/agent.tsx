/** A question of an agent: what it wrote in a box, so that it can't pass for words of ours, and a way to answer. */
import { type ReactNode, useState } from 'react';
import { useKeys } from '../../keys/keys.ts';
import { Pane } from '../../panes/panes.tsx';
import { Button } from '../../parts/button.tsx';
import { Trouble } from '../../parts/empty-state.tsx';
import type { AgentQuestion } from '../../questions/question.ts';
import { ReadOnly } from '../../questions/read-only.tsx';
import { type Answering, useAnswering } from '../../questions/use-answering.ts';
import { useServer } from '../../server/server.tsx';
import { ShownText, TextBox } from '../../text/shown-text.tsx';
import { NoField } from './no-field.tsx';
import { QuestionHead } from './question-head.tsx';

export function Agent({ question }: { readonly question: AgentQuestion }): ReactNode {
  return (
    <Pane of={question.id} label="What the agent asks" bar={<AgentAnswers question={question} />}>
      <QuestionHead question={question} title="The agent asks">
        Whatever you answer allows nothing.
      </QuestionHead>
      <TextBox text={question.request.message} label="What the agent wrote" />
    </Pane>
  );
}

function AgentAnswers({ question }: { readonly question: AgentQuestion }): ReactNode {
  const { mayAnswer } = useServer();
  const answering = useAnswering(question);
  const { isOpen, trouble, give } = answering;
  if (!mayAnswer) return <ReadOnly />;
  const { request } = question;
  return (
    <>
      <fieldset className="answers" disabled={!isOpen} aria-label="Answers">
        {request.kind === 'choice' && <Choices choices={request.choices} answering={answering} />}
        {request.kind === 'text' && <TextAnswer answering={answering} />}
        <NoField
          label="Reason to give no answer"
          hint="Why not, for the agent to read"
          text="No answer"
          onNo={(reason) => give({ kind: 'declined', reason })}
        />
      </fieldset>
      {trouble !== undefined && <Trouble failure={trouble} />}
    </>
  );
}

/** So many have a key. */
const MAX_KEYS = 9;

function Choices({
  choices,
  answering: { isOpen, give },
}: {
  readonly choices: readonly string[];
  readonly answering: Answering;
}): ReactNode {
  const answer = (choice: string) => () => give({ kind: 'choice', choice });
  useKeys(
    'Answer',
    isOpen
      ? choices.slice(0, MAX_KEYS).map((choice, index) => ({
          key: String(index + 1),
          does: `Choice ${index + 1}`,
          run: answer(choice),
        }))
      : [],
  );
  return (
    <div className="choices">
      {choices.map((choice, index) => (
        <Button
          key={index}
          className="choice"
          onClick={answer(choice)}
          {...(index < MAX_KEYS ? { shortcut: String(index + 1) } : {})}
        >
          <span>
            <ShownText text={choice} />
          </span>
        </Button>
      ))}
    </div>
  );
}

function TextAnswer({ answering: { give } }: { readonly answering: Answering }): ReactNode {
  const [text, setText] = useState('');
  const send = (): void => give({ kind: 'text', text });
  return (
    <div className="text-answer">
      <textarea
        aria-label="Your answer"
        rows={3}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={({ key, ctrlKey, metaKey }) => {
          if (key === 'Enter' && (ctrlKey || metaKey)) send();
        }}
      />
      <Button kind="main" shortcut="Ctrl ⏎" onClick={send}>
        Answer
      </Button>
    </div>
  );
}
