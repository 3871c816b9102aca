/** Other arguments in place of the agent's. The server looks at them before the call does. */
import { type ReactNode, useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Trouble } from '../../parts/empty-state.tsx';
import { visibleJson } from '../../text/escapes.ts';
import type { AnswerDialogProps } from './always-dialog.tsx';

export function EditDialog({ question, answering, onClose }: AnswerDialogProps): ReactNode {
  const { isOpen, trouble, give } = answering;
  const [text, setText] = useState(() => visibleJson(question.request.args));
  const [wrong, setWrong] = useState<Error>();
  const send = (): void => {
    try {
      setWrong(undefined);
      give({ answer: 'edit', args: JSON.parse(text) as unknown });
    } catch (error) {
      setWrong(new Error(`This is not JSON: ${(error as Error).message}`));
    }
  };
  const failure = wrong ?? trouble;
  return (
    <Dialog
      title="Allow with other arguments"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Back</Button>
          <Button kind="main" disabled={!isOpen} onClick={send}>
            Allow with these arguments
          </Button>
        </>
      }
    >
      <p>The call will run once, with these arguments in place of its own:</p>
      <textarea
        className="edited-arguments"
        aria-label="Arguments, as JSON"
        data-first
        spellCheck={false}
        rows={Math.min(20, text.split('\n').length + 1)}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={({ key, ctrlKey, metaKey }) => {
          if (key === 'Enter' && (ctrlKey || metaKey)) send();
        }}
      />
      {failure !== undefined && <Trouble failure={failure} />}
    </Dialog>
  );
}
