/** All there is to know about a call: what it was given, why it might, what it printed and changed. */
import { type ReactNode, useSyncExternalStore } from 'react';
import { Scroller } from '../panes/panes.tsx';
import { OutcomeBadge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Trouble } from '../parts/empty-state.tsx';
import { type Fact, Facts } from '../parts/facts.tsx';
import { duration, Time } from '../parts/time.tsx';
import { useServer } from '../server/server.tsx';
import { useLive } from '../server/use-live.ts';
import { visibleJson } from '../text/escapes.ts';
import { ShownText, TextBox } from '../text/shown-text.tsx';
import { CancelButton } from './cancel-button.tsx';
import { CallOutput } from './call-output.tsx';
import { Part } from './call-part.tsx';
import type { CallFacts } from './call.ts';
import { SessionNotes } from './session-notes.tsx';
import './call-detail.css';

export function CallDetail({
  id,
  onClose,
}: {
  readonly id: string;
  readonly onClose: () => void;
}): ReactNode {
  const { value: facts, failure } = useLive(
    `call/${id}`,
    (client, signal) => client.showCall({ id }, { signal }),
    ['calls'],
  );
  return (
    <section className="call-detail" aria-label="The call">
      <header>
        <h2>{facts === undefined ? 'A call' : <ShownText text={facts.name} />}</h2>
        {facts !== undefined && <OutcomeBadge outcome={facts.outcome} code={facts.error?.code} />}
        {facts !== undefined && facts.outcome === undefined && <CancelButton id={id} />}
        <Button kind="quiet" aria-label="Close the call" onClick={onClose}>
          ✕
        </Button>
      </header>
      <Scroller of={id} label="What is known of the call">
        {failure !== undefined && <Trouble failure={failure} />}
        {facts !== undefined && <Known facts={facts} />}
      </Scroller>
    </section>
  );
}

function Known({ facts }: { readonly facts: CallFacts }): ReactNode {
  const { calls } = useServer();
  const streamed = useSyncExternalStore(calls.subscribe, () => calls.of(facts.call_id));
  const given = visibleJson(facts.edited_args ?? facts.args ?? streamed?.args);
  const commands = facts.artifacts?.commands_run ?? [];
  return (
    <>
      {facts.error !== undefined && (
        <p className="call-error">
          <code>{facts.error.code}</code> <ShownText text={facts.error.message ?? ''} />
        </p>
      )}
      <Part title="Decision">
        <Facts facts={decisionFacts(facts)} />
      </Part>
      {commands.length > 0 && (
        <Part title={commands.length === 1 ? 'Command' : 'Commands'}>
          {commands.map((command, index) => (
            <TextBox key={index} text={command} label="A command that was run" />
          ))}
        </Part>
      )}
      {given !== '' && (
        <Part title="Arguments" action={<CopyButton text={given} />}>
          {facts.edited_args !== undefined && <p className="faint">Changed by the person who was asked.</p>}
          <TextBox text={given} label="The arguments" />
        </Part>
      )}
      <CallOutput isRunning={facts.outcome === undefined} streamed={streamed} />
      <Effects facts={facts} />
      <Part title="Origin">
        <Facts facts={originFacts(facts)} />
      </Part>
      <SessionNotes session={facts.session} />
    </>
  );
}

function decisionFacts(facts: CallFacts): Fact[] {
  const { decision, rule, approver, answered_by, sandbox, accesses = [], duration_ms, operation } = facts;
  return [
    ['decision', [decision]],
    ['rule', [rule]],
    ['answered by', [approver ?? answered_by]],
    ['sandbox', [sandbox === undefined ? undefined : `tier ${sandbox}`]],
    ['operation', [operation]],
    // What was run is below, whole.
    [
      'touches',
      accesses
        .filter(({ permission }) => permission !== 'proc.exec')
        .map(({ permission, resource }) => `${permission} ${resource}`),
    ],
    ['took', [duration_ms === undefined ? undefined : duration(duration_ms)]],
  ];
}

function Effects({ facts }: { readonly facts: CallFacts }): ReactNode {
  const { effects = [], effects_total: total = effects.length, hosts_reached: hosts = [] } = facts;
  const started = facts.artifacts?.processes_started ?? [];
  if (effects.length + hosts.length + started.length === 0) return null;
  return (
    <Part title="Effects">
      <Facts
        facts={[
          [
            'changed',
            effects
              .map(({ path, change, reversible }) => `${path} ${change}${reversible ? '' : ', for good'}`)
              .concat(total > effects.length ? [`… and ${total - effects.length} more`] : []),
          ],
          ['reached', hosts.map((host) => `${host}, for good`)],
          ['started', started.map(({ id, command }) => `${id} ${command}`)],
        ]}
      />
    </Part>
  );
}

function originFacts({
  at,
  dialect,
  session,
  workspace,
  visitor,
  turn,
  call_id,
  trace_id,
}: CallFacts): Fact[] {
  return [
    ['at', <Time key="at" at={at} />],
    ['dialect', [dialect]],
    ['session', [session]],
    ['turn', [turn]],
    ['workspace', [workspace]],
    ['visits from', [visitor]],
    ['call', [call_id]],
    ['trace', [trace_id]],
  ];
}
