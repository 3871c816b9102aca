/** Calls as they happen, of every session. */
import { type ReactNode, useMemo, useState } from 'react';
import { CallList } from '../../calls/call-list.tsx';
import type { Wanted } from '../../calls/call.ts';
import { OutcomeChoice, type WantedOutcome } from '../../calls/outcome-choice.tsx';
import { useWhere, type Where, WhereChoice } from '../../calls/where-choice.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { useServer } from '../../server/server.tsx';
import { ViewTools } from '../../shell/view-tools.tsx';
import { SessionStrip } from './session-strip.tsx';
import './live-view.css';

export function LiveView(): ReactNode {
  const { project } = useServer();
  const [text, setText] = useState('');
  const [outcome, setOutcome] = useState<WantedOutcome>('any');
  const chosen = useWhere();
  return (
    <div className="live">
      <ViewTools>
        <SearchField label="Search calls" onSearch={setText} />
        <OutcomeChoice outcome={outcome} onChoose={setOutcome} />
        <WhereChoice {...chosen} />
      </ViewTools>
      <SessionCalls
        key={`${project ?? ''} ${chosen.where}`}
        where={chosen.where}
        text={text}
        outcome={outcome}
      />
    </div>
  );
}

/** The sessions there, and the calls of one of them, or of all. */
function SessionCalls({
  where,
  text,
  outcome,
}: {
  readonly where: Where;
  readonly text: string;
  readonly outcome: WantedOutcome;
}): ReactNode {
  const [session, setSession] = useState('');
  const wanted = useMemo<Wanted>(
    () => ({
      workspace: where,
      ...(text === '' ? {} : { text }),
      ...(outcome === 'any' ? {} : { outcome }),
      ...(session === '' ? {} : { session }),
    }),
    [where, text, outcome, session],
  );
  return (
    <>
      <SessionStrip where={where} chosen={session} onChoose={setSession} />
      <CallList
        view="live"
        label="Calls"
        wanted={wanted}
        empty={
          text + session === '' && outcome === 'any' ? (
            <EmptyState title="No call yet.">
              {where === 'all' ? (
                <>
                  Try <code>handrail call list</code> in this workspace.
                </>
              ) : (
                'They are listed here as they happen.'
              )}
            </EmptyState>
          ) : (
            <EmptyState title="No call fits.">Ask for less, or look in all projects.</EmptyState>
          )
        }
      />
    </>
  );
}
