/** One turn: what it did to each entry, their contents compared, and the way back. */
import { type ReactNode, useState } from 'react';
import { useKeys } from '../../keys/keys.ts';
import { Pane } from '../../panes/panes.tsx';
import { Button } from '../../parts/button.tsx';
import { Trouble } from '../../parts/empty-state.tsx';
import { Time } from '../../parts/time.tsx';
import { ReadOnly } from '../../questions/read-only.tsx';
import { useServer } from '../../server/server.tsx';
import { useLive } from '../../server/use-live.ts';
import type { Turn } from './changes-view.tsx';
import { Entries } from './entries.tsx';
import { counted, stateOf } from './turn.ts';
import { UndoDialog } from './undo-dialog.tsx';

export interface TurnChangesProps {
  readonly turn: Turn;
  readonly turns: readonly Turn[];
  readonly onChanged: () => void;
}

export function TurnChanges({ turn, turns, onChanged }: TurnChangesProps): ReactNode {
  const { id, kind, startedAt, session, undoneBy } = turn;
  const { mayAnswer } = useServer();
  const [isUndoing, setIsUndoing] = useState(false);
  const [done, setDone] = useState<string>();
  const { value, failure } = useLive(
    `turn ${id}`,
    (client, signal) => client.showTurn({ id }, { signal }),
    [],
  );
  const state = stateOf(turn);
  const canUndo = state === '' && mayAnswer;
  // Taking an undo back is doing again what it took back.
  const label = kind === 'undo' ? 'Redo…' : 'Undo…';
  const open = (): void => setIsUndoing(true);
  useKeys('Turn', canUndo ? [{ key: 'u', does: kind === 'undo' ? 'Redo' : 'Undo', run: open }] : []);
  const undoTurn = turns.find((one) => one.id === undoneBy);
  const takenBack = turns.filter((one) => one.undoneBy === id);
  return (
    <Pane
      of={id}
      label="What the turn did"
      bar={
        mayAnswer ? (
          <div className="turn-bar">
            {canUndo && (
              <Button shortcut="u" onClick={open}>
                {label}
              </Button>
            )}
            <p role="status" className="faint">
              {done ?? (state === '' ? '' : `This turn was ${state}.`)}
            </p>
          </div>
        ) : (
          <ReadOnly />
        )
      }
    >
      <header className="turn-head">
        <h2>
          {kind === 'undo' ? 'Undo' : 'Work'} at <Time at={startedAt} />
        </h2>
        <p className="faint">
          <span className="mono">{session}</span>
          {undoTurn !== undefined && (
            <>
              {' · taken back at '}
              <a href={`#/changes/${undoTurn.id}`}>
                <Time at={undoTurn.startedAt} />
              </a>
            </>
          )}
          {takenBack.map((one) => (
            <span key={one.id}>
              {' · took back '}
              <a href={`#/changes/${one.id}`}>
                {one.kind === 'undo' ? 'the undo' : 'the work'} of <Time at={one.startedAt} />
              </a>
            </span>
          ))}
        </p>
      </header>
      {failure !== undefined && <Trouble failure={failure} />}
      {value !== undefined && <Entries turn={id} entries={value.entries} />}
      {isUndoing && (
        <UndoDialog
          turn={turn}
          onClose={() => setIsUndoing(false)}
          onDone={({ changed, left }) => {
            setIsUndoing(false);
            onChanged();
            setDone(
              `Took it back: ${counted(changed, 'entry', 'entries')}${left === 0 ? '' : `, ${left} left alone`}.`,
            );
          }}
        />
      )}
    </Pane>
  );
}
