/** Changes: what every turn did to the workspace, and the way back. */
import type { ReactNode } from 'react';
import type { OutputOf } from '../../../../src/client/index.ts';
import { useKeys } from '../../keys/keys.ts';
import { Panes } from '../../panes/panes.tsx';
import { EmptyState, Trouble } from '../../parts/empty-state.tsx';
import { useLive } from '../../server/use-live.ts';
import { useChosen } from '../../shell/use-chosen.ts';
import { TurnChanges } from './turn-changes.tsx';
import { TurnList } from './turn-list.tsx';
import './changes.css';

export type Turn = OutputOf<'listTurns'>['turns'][number];

const NONE: readonly Turn[] = [];
const SHOWN = 500;

export function ChangesView(): ReactNode {
  const { value, failure, reload } = useLive(
    'turns',
    (client, signal) => client.listTurns({ limit: SHOWN }, { signal }),
    ['turns'],
  );
  const turns = value?.turns ?? NONE;
  const { chosen, choose, move } = useChosen('changes', turns);
  useKeys('Changes', [
    { key: 'j', does: 'Turn below', run: () => move(1) },
    { key: 'k', does: 'Turn above', run: () => move(-1) },
  ]);
  return (
    <Panes
      list={
        <>
          {failure !== undefined && <Trouble failure={failure} />}
          <TurnList turns={turns} chosen={chosen?.id} onChoose={choose} />
        </>
      }
    >
      {chosen === undefined ? (
        <EmptyState title="Nothing was changed yet">
          Whatever agents change in this workspace is listed here by turn, and can be taken back.
        </EmptyState>
      ) : (
        <TurnChanges key={chosen.id} turn={chosen} turns={turns} onChanged={reload} />
      )}
    </Panes>
  );
}
