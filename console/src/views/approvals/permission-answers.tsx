/** The answers to a question about permission, by click and by key. */
import { type ReactNode, useRef, useState } from 'react';
import { useKeys } from '../../keys/keys.ts';
import { Button } from '../../parts/button.tsx';
import { Trouble } from '../../parts/empty-state.tsx';
import type { PermissionQuestion } from '../../questions/question.ts';
import { ReadOnly } from '../../questions/read-only.tsx';
import { useAnswering } from '../../questions/use-answering.ts';
import { useServer } from '../../server/server.tsx';
import { AlwaysDialog } from './always-dialog.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { NoField } from './no-field.tsx';

export function PermissionAnswers({ question }: { readonly question: PermissionQuestion }): ReactNode {
  const { mayAnswer } = useServer();
  const answering = useAnswering(question);
  const { isOpen, trouble, give } = answering;
  const [opened, setOpened] = useState<'always' | 'edit'>();
  const reason = useRef<HTMLInputElement>(null);
  const { scope, alwaysRule } = question.request;
  const once = (): void => give({ answer: 'once' });
  const session = scope === 'single_action' ? undefined : () => give({ answer: 'session' });
  const always = alwaysRule === undefined ? undefined : () => setOpened('always');
  const edit = question.isEditable ? () => setOpened('edit') : undefined;
  useKeys(
    'Answer',
    [
      { key: 'o', does: 'Allow once', run: once },
      { key: 's', does: 'Allow for this session', run: session },
      { key: 'a', does: 'Always allow', run: always },
      { key: 'e', does: 'Other arguments', run: edit },
      { key: 'd', does: 'Deny', run: () => reason.current?.focus() },
    ].flatMap(({ run, ...key }) => (run === undefined || !isOpen ? [] : [{ ...key, run }])),
  );
  if (!mayAnswer) return <ReadOnly />;
  return (
    <>
      <fieldset className="answers" disabled={!isOpen} aria-label="Answers">
        <Button kind="main" shortcut="o" onClick={once}>
          Once
        </Button>
        {session !== undefined && (
          <Button shortcut="s" onClick={session}>
            This session
          </Button>
        )}
        {always !== undefined && (
          <Button shortcut="a" onClick={always}>
            Always…
          </Button>
        )}
        {edit !== undefined && (
          <Button shortcut="e" onClick={edit}>
            Edit…
          </Button>
        )}
        <NoField
          field={reason}
          label="Reason to deny"
          hint="Reason, for the agent to read"
          text="Deny"
          shortcut="d"
          onNo={(why) => give({ answer: 'deny', reason: why })}
        />
      </fieldset>
      {trouble !== undefined && opened === undefined && <Trouble failure={trouble} />}
      {opened === 'always' && (
        <AlwaysDialog question={question} answering={answering} onClose={() => setOpened(undefined)} />
      )}
      {opened === 'edit' && (
        <EditDialog question={question} answering={answering} onClose={() => setOpened(undefined)} />
      )}
    </>
  );
}
