/** The turns, newest first, one line each. */
import type { ReactNode } from 'react';
import { Badge } from '../../parts/badge.tsx';
import { Time } from '../../parts/time.tsx';
import type { Turn } from './changes-view.tsx';
import { counted, stateOf } from './turn.ts';

export interface TurnListProps {
  readonly turns: readonly Turn[];
  readonly chosen: string | undefined;
  readonly onChoose: (id: string) => void;
}

export function TurnList({ turns, chosen, onChoose }: TurnListProps): ReactNode {
  return (
    <ul className="turn-list" aria-label="Turns">
      {turns.map((turn) => {
        const state = stateOf(turn);
        return (
          <li key={turn.id}>
            <button
              type="button"
              className={turn.undoneBy === undefined ? '' : 'over'}
              aria-current={turn.id === chosen}
              onClick={() => onChoose(turn.id)}
            >
              <Time at={turn.startedAt} />
              <span className="turn-kind">{turn.kind === 'undo' ? 'Undo' : 'Work'}</span>
              <span className="faint">{counted(turn.entries, 'entry', 'entries')}</span>
              {state !== '' && <Badge tone={turn.undoneBy === undefined ? 'warn' : 'plain'}>{state}</Badge>}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
