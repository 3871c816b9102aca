/** The rules in force by layer, what would be decided about a call, and what other rules would have decided. */
import { type ReactNode, useState } from 'react';
import type { OutputOf } from '../../../../src/client/index.ts';
import { Choice } from '../../parts/choice.tsx';
import { Trouble } from '../../parts/empty-state.tsx';
import { ReadOnly } from '../../questions/read-only.tsx';
import { useServer } from '../../server/server.tsx';
import { useLive } from '../../server/use-live.ts';
import { ViewTools } from '../../shell/view-tools.tsx';
import { visibleJson } from '../../text/escapes.ts';
import { ShownText } from '../../text/shown-text.tsx';
import { ExplainForm } from './explain-form.tsx';
import { Replay } from './replay.tsx';
import './policy.css';

type Layer = OutputOf<'showPolicy'>['layers'][number];

export function PolicyView(): ReactNode {
  const { mayAnswer } = useServer();
  return mayAnswer ? <Policy /> : <ReadOnly />;
}

function Policy(): ReactNode {
  const [dialect, setDialect] = useState<string>();
  const { value, failure } = useLive(
    `policy ${dialect ?? ''}`,
    async (client, signal) => {
      const [policy, { dialects }] = await Promise.all([
        client.showPolicy({ dialect }, { signal }),
        client.listTools({ dialect }, { signal }),
      ]);
      return { ...policy, dialects };
    },
    ['trust'],
  );
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by key
    <div className="policy" tabIndex={0} role="group" aria-label="The policy">
      {value !== undefined && (
        <ViewTools>
          <Choice
            label="Dialect"
            value={value.dialect}
            options={value.dialects.map((name) => [name, name])}
            onChoose={setDialect}
          />
        </ViewTools>
      )}
      {failure !== undefined && <Trouble failure={failure} />}
      {value !== undefined && (
        <>
          <p>
            New sessions have the mode <strong>{value.mode}</strong>. A written deny counts whatever the
            layer; else the last layer that says something, and in it the last rule.
          </p>
          <h2>Explain a call</h2>
          <ExplainForm dialect={value.dialect} />
          <h2>Replay</h2>
          <Replay />
          <h2>Rules</h2>
          {value.layers.map((layer) => (
            <LayerRules key={layer.name} layer={layer} />
          ))}
        </>
      )}
    </div>
  );
}

const TITLES: Readonly<Record<Layer['name'], string>> = {
  dialect: 'Of the dialect',
  defaults: 'Of Handrail',
  user: 'Yours',
  caller: 'Of who started the server',
  project: "The workspace's own",
};

function LayerRules({ layer: { name, file, rules } }: { readonly layer: Layer }): ReactNode {
  return (
    <details className="layer" open={rules.length > 0 && name !== 'dialect' && name !== 'defaults'}>
      <summary>
        {TITLES[name]}{' '}
        <span className="faint">{rules.length === 1 ? '1 rule' : `${rules.length} rules`}</span>
        {file !== undefined && (
          <code className="faint">
            {' '}
            <ShownText text={file} />
          </code>
        )}
      </summary>
      <ol className="rules">
        {rules.map(({ id, rule, counts }) => (
          <li key={id} className={counts ? '' : 'idle'}>
            <span className="faint">{id}</span>
            <code>
              <ShownText text={visibleJson(rule).replaceAll(/\s*\n\s*/g, ' ')} />
            </code>
            {!counts && <span className="faint">does not count here</span>}
          </li>
        ))}
      </ol>
    </details>
  );
}
