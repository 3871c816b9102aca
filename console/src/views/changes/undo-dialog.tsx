/** The way back: first what it would do, with every conflict named; then doing it. */
import { type ReactNode, useEffect, useState } from 'react';
import type { OutputOf } from '../../../../src/client/index.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Trouble } from '../../parts/empty-state.tsx';
import { useServer } from '../../server/server.tsx';
import { ShownText } from '../../text/shown-text.tsx';
import type { Turn } from './changes-view.tsx';
import { counted } from './turn.ts';

type Step = OutputOf<'undo'>['steps'][number];

export interface UndoDialogProps {
  readonly turn: Turn;
  readonly onClose: () => void;
  readonly onDone: (done: { readonly changed: number; readonly left: number }) => void;
}

const WOULD: Readonly<Record<Step['action'], string>> = {
  restore: 'restore',
  remove: 'remove',
  keep: 'as it was',
  conflict: 'leave alone',
  lost: 'leave alone',
};

export function UndoDialog({ turn, onClose, onDone }: UndoDialogProps): ReactNode {
  const { client } = useServer();
  const [steps, setSteps] = useState<readonly Step[]>();
  const [failure, setFailure] = useState<Error>();
  const [isBusy, setIsBusy] = useState(false);
  useEffect(() => {
    const stop = new AbortController();
    client.undo({ turn: turn.id, dryRun: true }, { signal: stop.signal }).then(
      (report) => setSteps(report.steps),
      (error: Error) => {
        if (!stop.signal.aborted) setFailure(error);
      },
    );
    return () => stop.abort();
  }, [client, turn.id]);
  const takeBack = async (): Promise<void> => {
    setIsBusy(true);
    try {
      const { steps: taken } = await client.undo({ turn: turn.id });
      onDone({ changed: taken.filter(isChange).length, left: taken.filter(isLeftAlone).length });
    } catch (error) {
      setFailure(error as Error);
      setIsBusy(false);
    }
  };
  const isRedo = turn.kind === 'undo';
  return (
    <Dialog
      title={isRedo ? 'Do it again' : 'Take it back'}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Back</Button>
          {steps?.some(isChange) === true && (
            <Button kind="main" autoFocus disabled={isBusy} onClick={() => void takeBack()}>
              {isRedo ? 'Do it again' : 'Take back'}
            </Button>
          )}
        </>
      }
    >
      <p role="status">{steps === undefined ? 'Looking at what is there …' : prospect(steps)}</p>
      {steps !== undefined && <Steps steps={steps} />}
      {failure !== undefined && <Trouble failure={failure} />}
    </Dialog>
  );
}

/** What is left alone comes first. */
function Steps({ steps }: { readonly steps: readonly Step[] }): ReactNode {
  return (
    <ul className="undo-steps" aria-label="What would be done">
      {[...steps.filter(isLeftAlone), ...steps.filter((step) => !isLeftAlone(step))].map(
        ({ path, action, reason }) => (
          <li key={path}>
            <span className={`change-word ${action}`}>{WOULD[action]}</span>
            <span>
              <code>
                <ShownText text={path} />
              </code>
              {reason !== undefined && (
                <span className="undo-reason">
                  <ShownText text={reason} />
                </span>
              )}
            </span>
          </li>
        ),
      )}
    </ul>
  );
}

/** What would become of a turn, in a sentence. */
function prospect(steps: readonly Step[]): string {
  const left = steps.filter(isLeftAlone).length;
  const changed = steps.filter(isChange).length;
  if (changed === 0)
    return left === 0 ? 'Everything is as it was before already.' : 'Nothing of it can be taken back.';
  const would = `This would change ${counted(changed, 'entry', 'entries')}`;
  return left === 0
    ? `${would}.`
    : `${would}, and leave ${counted(left, 'entry', 'entries')} alone: somebody changed what the turn left there.`;
}

function isChange({ action }: Step): boolean {
  return action === 'restore' || action === 'remove';
}

function isLeftAlone({ action }: Step): boolean {
  return action === 'conflict' || action === 'lost';
}
