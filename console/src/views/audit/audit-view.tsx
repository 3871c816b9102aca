/** The audit: every call there was, whether the record of them holds, and what they were like over time. */
import { type ReactNode, useMemo, useState } from 'react';
import { CallList } from '../../calls/call-list.tsx';
import type { Wanted } from '../../calls/call.ts';
import { OutcomeChoice, type WantedOutcome } from '../../calls/outcome-choice.tsx';
import { useWhere, WhereChoice } from '../../calls/where-choice.tsx';
import { Choice } from '../../parts/choice.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { useServer } from '../../server/server.tsx';
import { ViewTools } from '../../shell/view-tools.tsx';
import { AuditCharts } from './audit-charts.tsx';
import { ChainState } from './chain-state.tsx';
import { ExportButton } from './export-button.tsx';
import { type Span, SPANS } from './spans.ts';
import './audit-view.css';

const DECISIONS = ['allow', 'ask', 'deny'] as const;
type Decision = (typeof DECISIONS)[number];

export function AuditView(): ReactNode {
  const { mayAnswer } = useServer();
  const [text, setText] = useState('');
  const [outcome, setOutcome] = useState<WantedOutcome>('any');
  const [decision, setDecision] = useState<Decision | 'any'>('any');
  const chosen = useWhere();
  const { where: workspace } = chosen;
  const [span, setSpan] = useState<Span>('day');
  const wanted = useMemo<Wanted>(
    () => ({
      workspace,
      ...(text === '' ? {} : { text }),
      ...(outcome === 'any' ? {} : { outcome }),
      ...(decision === 'any' ? {} : { decision }),
    }),
    [text, outcome, decision, workspace],
  );
  if (!mayAnswer)
    return (
      <EmptyState title="The audit is for the person.">
        Open the whole address that <code>handrail serve</code> printed.
      </EmptyState>
    );
  return (
    <div className="audit">
      <ViewTools>
        <SearchField label="Search the audit" onSearch={setText} />
        <OutcomeChoice outcome={outcome} onChoose={setOutcome} />
        <Choice
          label="Decision"
          value={decision}
          onChoose={setDecision}
          options={[['any', 'any decision'], ...DECISIONS.map((one) => [one, one] as const)]}
        />
        <WhereChoice {...chosen} />
      </ViewTools>
      <div className="audit-head">
        <AuditCharts span={span} workspace={workspace} />
        <div className="audit-side">
          <Choice
            label="Time that the charts show"
            value={span}
            onChoose={setSpan}
            options={Object.entries(SPANS).map(([name, { title }]) => [name as Span, title] as const)}
          />
          <ExportButton />
          <ChainState />
        </div>
      </div>
      <CallList
        view="audit"
        label="Calls of the audit"
        wanted={wanted}
        pageSize={1_000}
        empty={<EmptyState title="No call fits.">Ask for less, or look in all projects.</EmptyState>}
      />
    </div>
  );
}
