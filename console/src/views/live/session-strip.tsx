/** The sessions that are open in any process on this machine, and the last ones that were: choosing one narrows the list. */
import type { ReactNode } from 'react';
import { sessionName } from '../../calls/call.ts';
import type { Where } from '../../calls/where-choice.tsx';
import { useLive } from '../../server/use-live.ts';
import { ShownText } from '../../text/shown-text.tsx';

/** As many as can be told apart at a glance. */
const SHOWN = 12;

export function SessionStrip({
  where,
  chosen,
  onChoose,
}: {
  readonly where: Where;
  readonly chosen: string;
  readonly onChoose: (session: string) => void;
}): ReactNode {
  const { value } = useLive(
    `sessions/${where}`,
    (client, signal) => client.listSessions({ workspace: where, limit: SHOWN }, { signal }),
    ['sessions', 'calls'],
  );
  const sessions = value?.sessions ?? [];
  if (sessions.length === 0) return null;
  return (
    <ul className="session-strip" aria-label="Sessions">
      <li>
        <button type="button" aria-pressed={chosen === ''} onClick={() => onChoose('')}>
          All sessions
        </button>
      </li>
      {sessions.map(({ id, dialect, agent, workspace, isAlive, lastCall }) => (
        <li key={id}>
          <button
            type="button"
            className={isAlive ? 'alive' : undefined}
            aria-pressed={chosen === id}
            title={`${id}\n${workspace}\n${isAlive ? 'open' : 'closed'}`}
            onClick={() => onChoose(chosen === id ? '' : id)}
          >
            <b>
              <ShownText text={agent ?? dialect} />
            </b>
            <span className="mono">{sessionName(id)}</span>
            <span>
              <ShownText text={workspace.split('/').at(-1) ?? ''} />
            </span>
            {lastCall !== null && (
              <span>
                <ShownText text={lastCall.tool} />
              </span>
            )}
          </button>
        </li>
      ))}
    </ul>
  );
}
