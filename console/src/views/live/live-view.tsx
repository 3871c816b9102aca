/** Every session's calls as they happen. */
import { type ReactNode, useCallback, useState } from 'react';
import { CallList, type LoadCalls } from '../../calls/call-list.tsx';
import { type Outcome, OUTCOMES } from '../../calls/call.ts';
import { Choice } from '../../parts/choice.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { ViewTools } from '../../shell/view-tools.tsx';

export function LiveView(): ReactNode {
  const [text, setText] = useState('');
  const [outcome, setOutcome] = useState<Outcome | 'any'>('any');
  const load = useCallback<LoadCalls>(
    (client, page, signal) =>
      client.listAudit(
        {
          ...page,
          workspace: 'all',
          ...(text === '' ? {} : { text }),
          ...(outcome === 'any' ? {} : { outcome }),
        },
        { signal },
      ),
    [text, outcome],
  );
  return (
    <>
      <ViewTools>
        <SearchField label="Search calls" onSearch={setText} />
        <Choice
          label="Outcome"
          value={outcome}
          onChoose={setOutcome}
          options={[['any', 'any outcome'], ...OUTCOMES.map((one) => [one, one] as const)]}
        />
      </ViewTools>
      <CallList
        view="live"
        label="Calls"
        load={load}
        empty={
          <EmptyState title="No call yet.">
            Try <code>handrail call list</code> in this workspace.
          </EmptyState>
        }
      />
    </>
  );
}
