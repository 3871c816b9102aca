/** Every session's calls as they happen. */
import { type ReactNode, useMemo, useState } from 'react';
import { CallList } from '../../calls/call-list.tsx';
import { type Outcome, OUTCOMES, type Wanted } from '../../calls/call.ts';
import { Choice } from '../../parts/choice.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { ViewTools } from '../../shell/view-tools.tsx';
import { SessionStrip } from './session-strip.tsx';
import './live-view.css';

export function LiveView(): ReactNode {
  const [text, setText] = useState('');
  const [outcome, setOutcome] = useState<Outcome | 'any'>('any');
  const [session, setSession] = useState('');
  const wanted = useMemo<Wanted>(
    () => ({
      workspace: 'all',
      ...(text === '' ? {} : { text }),
      ...(outcome === 'any' ? {} : { outcome }),
      ...(session === '' ? {} : { session }),
    }),
    [text, outcome, session],
  );
  return (
    <div className="live">
      <ViewTools>
        <SearchField label="Search calls" onSearch={setText} />
        <Choice
          label="Outcome"
          value={outcome}
          onChoose={setOutcome}
          options={[['any', 'any outcome'], ...OUTCOMES.map((one) => [one, one] as const)]}
        />
      </ViewTools>
      <SessionStrip chosen={session} onChoose={setSession} />
      <CallList
        view="live"
        label="Calls"
        wanted={wanted}
        empty={
          <EmptyState title="No call yet.">
            Try <code>handrail call list</code> in this workspace.
          </EmptyState>
        }
      />
    </div>
  );
}
