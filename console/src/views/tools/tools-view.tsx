/** The catalogue of every dialect, with schemas, and a form to try a tool. */
import { type ReactNode, useMemo, useState } from 'react';
import type { OutputOf } from '../../../../src/client/index.ts';
import { useKeys } from '../../keys/keys.ts';
import { Panes } from '../../panes/panes.tsx';
import { Badge, type Tone } from '../../parts/badge.tsx';
import { Choice } from '../../parts/choice.tsx';
import { EmptyState, Trouble } from '../../parts/empty-state.tsx';
import { ItemList } from '../../parts/item-list.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { useLive } from '../../server/use-live.ts';
import { useChosen } from '../../shell/use-chosen.ts';
import { ViewTools } from '../../shell/view-tools.tsx';
import { ToolPane } from './tool-pane.tsx';
import './tools.css';

export type Tool = OutputOf<'listTools'>['tools'][number];

const NONE: readonly Tool[] = [];
const RISKS: Readonly<Record<Tool['risk'], Tone>> = { read: 'good', write: 'warn', destructive: 'bad' };

export function ToolsView(): ReactNode {
  const [dialect, setDialect] = useState<string>();
  const [wanted, setWanted] = useState('');
  const { value, failure } = useLive(
    `tools ${dialect ?? ''}`,
    (client, signal) => client.listTools({ dialect }, { signal }),
    [],
  );
  const tools = value?.tools ?? NONE;
  const found = useMemo(
    () =>
      tools
        .filter(({ name, description }) =>
          `${name} ${description}`.toLowerCase().includes(wanted.toLowerCase()),
        )
        .map((tool) => ({ ...tool, id: tool.name })),
    [tools, wanted],
  );
  const { chosen, choose, move } = useChosen('tools', found);
  useKeys('Tools', [
    { key: 'j', does: 'Tool below', run: () => move(1) },
    { key: 'k', does: 'Tool above', run: () => move(-1) },
  ]);
  return (
    <>
      <ViewTools>
        <SearchField label="Find a tool" onSearch={setWanted} />
        {value !== undefined && (
          <Choice
            label="Dialect"
            value={value.dialect}
            options={value.dialects.map((name) => [name, name])}
            onChoose={setDialect}
          />
        )}
      </ViewTools>
      <Panes
        list={
          <>
            {failure !== undefined && <Trouble failure={failure} />}
            <ItemList label="Tools" items={found} chosen={chosen?.id} onChoose={choose}>
              {({ name, risk, operation }) => (
                <>
                  <code>{name}</code>
                  <Badge tone={RISKS[risk]}>{risk}</Badge>
                  <span className="second">{operation}</span>
                </>
              )}
            </ItemList>
          </>
        }
      >
        {chosen === undefined || value === undefined ? (
          <EmptyState title={value === undefined ? 'Loading …' : 'No tool is called that'} />
        ) : (
          <ToolPane key={`${value.dialect} ${chosen.name}`} tool={chosen} dialect={value.dialect} />
        )}
      </Panes>
    </>
  );
}
