/** A patch that waits for its review, and the way to it. */
import type { ReactNode } from 'react';
import { useKeys } from '../../keys/keys.ts';
import { Pane } from '../../panes/panes.tsx';
import { Button } from '../../parts/button.tsx';
import type { ReviewQuestion } from '../../questions/question.ts';
import { ReadOnly } from '../../questions/read-only.tsx';
import { useServer } from '../../server/server.tsx';
import { goTo } from '../../shell/address.ts';
import { ShownText, TextBox } from '../../text/shown-text.tsx';
import { QuestionHead } from './question-head.tsx';

export function ReviewSummary({ question }: { readonly question: ReviewQuestion }): ReactNode {
  const { id, request } = question;
  const { message, chunks } = request;
  const open = (): void => goTo('review', id);
  const { mayAnswer } = useServer();
  useKeys('Patch review', mayAnswer ? [{ key: 'Enter', does: 'Review the patch', run: open }] : []);
  const files = Map.groupBy(chunks, ({ path }) => path);
  const bar = mayAnswer ? (
    <Button kind="main" shortcut="⏎" onClick={open}>
      Review {chunks.length} {chunks.length === 1 ? 'chunk' : 'chunks'}
    </Button>
  ) : (
    <ReadOnly />
  );
  return (
    <Pane of={id} label="What the agent asks" bar={bar}>
      <QuestionHead question={question} title="Patch review">
        Whatever you answer allows nothing.
      </QuestionHead>
      <TextBox text={message} label="What the agent wrote" />
      <ul className="accesses" aria-label="Files of the patch">
        {[...files].map(([path, own]) => (
          <li key={path}>
            <span className="access-word">
              {own.length} {own.length === 1 ? 'chunk' : 'chunks'}
            </span>
            <code>
              <ShownText text={path} />
            </code>
          </li>
        ))}
      </ul>
    </Pane>
  );
}
