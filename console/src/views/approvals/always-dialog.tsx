/** The rule that "always" would write, and what it would have meant until now, before it is written. */
import { type ReactNode, useEffect, useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Trouble } from '../../parts/empty-state.tsx';
import type { PermissionQuestion } from '../../questions/question.ts';
import type { Answering } from '../../questions/use-answering.ts';
import { useServer } from '../../server/server.tsx';
import { TextBox } from '../../text/shown-text.tsx';

export interface AnswerDialogProps {
  readonly question: PermissionQuestion;
  readonly answering: Answering;
  readonly onClose: () => void;
}

export function AlwaysDialog({ question, answering, onClose }: AnswerDialogProps): ReactNode {
  const { isOpen, trouble, give } = answering;
  const written = Object.entries(question.request.alwaysRule ?? {}).map(
    ([name, value]) => `${name}: ${JSON.stringify(value)}`,
  );
  return (
    <Dialog
      title="Always allow this"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Back</Button>
          <Button kind="main" data-first disabled={!isOpen} onClick={() => give({ answer: 'always' })}>
            Write the rule and allow
          </Button>
        </>
      }
    >
      <p>This rule will be written to your settings, and lets the same call pass from now on:</p>
      <TextBox text={written.join('\n')} label="The rule" />
      <PastCalls id={question.id} />
      {trouble !== undefined && <Trouble failure={trouble} />}
    </Dialog>
  );
}

/** How many calls of the past the rule would have let pass. */
function PastCalls({ id }: { readonly id: string }): ReactNode {
  const { client } = useServer();
  const [text, setText] = useState('Looking at past calls …');
  useEffect(() => {
    const stop = new AbortController();
    client.pastCallsFor({ id }, { signal: stop.signal }).then(
      ({ covered, calls }) =>
        setText(
          calls === 0
            ? 'There are no past calls to compare it with.'
            : `It would have let ${covered.toLocaleString()} of the last ${calls.toLocaleString()} calls pass.`,
        ),
      (error: Error) => {
        if (!stop.signal.aborted) setText(error.message);
      },
    );
    return () => stop.abort();
  }, [client, id]);
  return (
    <p className="faint" role="status">
      {text}
    </p>
  );
}
