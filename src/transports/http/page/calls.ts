/// <reference lib="dom" />
/** The newest calls, a row each, and below it all that is known of the call where somebody wants to see it. */
import type { ShownCall } from '../live.ts';
import { callFacts } from './call-facts.ts';
import type { Connection } from './connection.ts';
import { button, element, shell, timeOf, visible } from './elements.ts';
import { keyedList } from './keyed-list.ts';

interface Row {
  readonly kind: 'call' | 'facts';
  readonly call: ShownCall;
}

/** The section; shows what it is given. */
export function callsSection(connection: Connection): (calls: readonly ShownCall[]) => void {
  let shown: readonly ShownCall[] = [];
  const opened = new Set<string>();
  const list = keyedList<Row>({
    container: shell('calls'),
    empty: shell('no-calls'),
    keyOf: ({ kind, call }) => `${kind} ${call.call_id}`,
    build: ({ kind, call }) => (kind === 'call' ? callRow(call, opener(call)) : factsRow(call, connection)),
  });
  const show = (calls: readonly ShownCall[]): void => {
    shown = calls;
    list.show(
      calls.flatMap((call) =>
        opened.has(call.call_id)
          ? [
              { kind: 'call', call },
              { kind: 'facts', call },
            ]
          : [{ kind: 'call', call }],
      ),
    );
  };
  const opener = ({ call_id, name }: ShownCall): HTMLButtonElement => {
    const toggle = button('', 'opener', () => {
      if (!opened.delete(call_id)) opened.add(call_id);
      toggle.ariaExpanded = String(opened.has(call_id));
      show(shown);
    });
    toggle.append(visible(name));
    toggle.ariaExpanded = String(opened.has(call_id));
    return toggle;
  };
  return show;
}

function callRow(call: ShownCall, opener: HTMLButtonElement): HTMLElement {
  const { at, dialect, outcome, error_code, decision, rule, duration_ms } = call;
  const state = outcome ?? 'running';
  return element(
    'tr',
    '',
    element('td', 'muted', timeOf(at)),
    element('td', 'tool', opener, ' ', element('span', 'muted', visible(dialect))),
    element(
      'td',
      `outcome ${state}`,
      state,
      ...(state === 'failed' ? [' ', element('small', '', error_code ?? '')] : []),
    ),
    element('td', 'wide', decision ?? '', ' ', element('span', 'muted', visible(rule ?? ''))),
    element('td', 'number', duration_ms?.toFixed(1) ?? ''),
  );
}

function factsRow({ call_id }: ShownCall, connection: Connection): HTMLElement {
  const cell = element('td', '', callFacts(call_id, connection));
  cell.colSpan = 5;
  return element('tr', 'facts', cell);
}
