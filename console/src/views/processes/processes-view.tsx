/** Background processes of every workspace on this machine: what they print, a line to type into them, and their end. */
import type { ReactNode } from 'react';
import { useKeys } from '../../keys/keys.ts';
import { Panes } from '../../panes/panes.tsx';
import { EmptyState, Trouble } from '../../parts/empty-state.tsx';
import { ItemList } from '../../parts/item-list.tsx';
import { Time } from '../../parts/time.tsx';
import { ReadOnly } from '../../questions/read-only.tsx';
import { useServer } from '../../server/server.tsx';
import { useLive } from '../../server/use-live.ts';
import { useChosen } from '../../shell/use-chosen.ts';
import { ShownText } from '../../text/shown-text.tsx';
import { type Process, ProcessBadge } from './process-badge.tsx';
import { ProcessPane } from './process-pane.tsx';
import './processes.css';

const NONE: readonly Process[] = [];

export function ProcessesView(): ReactNode {
  const { mayAnswer } = useServer();
  return mayAnswer ? <Processes /> : <ReadOnly />;
}

function Processes(): ReactNode {
  const { value, failure, reload } = useLive(
    'processes',
    (client, signal) => client.listProcesses({}, { signal }),
    ['processes'],
  );
  const processes = value?.processes ?? NONE;
  const { chosen, choose, move } = useChosen('processes', processes);
  useKeys('Processes', [
    { key: 'j', does: 'Process below', run: () => move(1) },
    { key: 'k', does: 'Process above', run: () => move(-1) },
  ]);
  return (
    <Panes
      list={
        <>
          {failure !== undefined && <Trouble failure={failure} />}
          <ItemList label="Processes" items={processes} chosen={chosen?.id} onChoose={choose}>
            {(process) => (
              <>
                <code className="process-command">
                  <ShownText text={process.name ?? process.command} />
                </code>
                <ProcessBadge process={process} />
                <span className="second">
                  <Time at={process.startedAt} /> · <ShownText text={process.workspace} />
                </span>
              </>
            )}
          </ItemList>
        </>
      }
    >
      {chosen === undefined && value === undefined && failure === undefined ? (
        <EmptyState title="Loading …" />
      ) : chosen === undefined ? (
        <EmptyState title="No process runs">
          What agents start in the background is listed here, with what it prints, for as long as it runs and
          a while after.
        </EmptyState>
      ) : (
        <ProcessPane key={chosen.id} process={chosen} onChanged={reload} />
      )}
    </Panes>
  );
}
