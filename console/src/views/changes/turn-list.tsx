/** The turns, newest first, one line each. */
import type { ReactNode } from 'react';
import { Badge } from '../../parts/badge.tsx';
import { ItemList } from '../../parts/item-list.tsx';
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
    <ItemList
      label="Turns"
      items={turns}
      chosen={chosen}
      onChoose={onChoose}
      classOf={({ undoneBy }) => (undoneBy === undefined ? 'turn' : 'turn over')}
    >
      {(turn) => {
        const state = stateOf(turn);
        return (
          <>
            <Time at={turn.startedAt} />
            <span className="turn-kind">{turn.kind === 'undo' ? 'Undo' : 'Work'}</span>
            <span className="faint">{counted(turn.entries, 'entry', 'entries')}</span>
            {state !== '' && <Badge tone={turn.undoneBy === undefined ? 'warn' : 'plain'}>{state}</Badge>}
          </>
        );
      }}
    </ItemList>
  );
}
