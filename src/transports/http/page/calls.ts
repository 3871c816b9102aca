/// <reference lib="dom" />
/** The newest calls, a row each. */
import type { ShownCall } from '../live.ts';
import { element, shell, timeOf, visible } from './elements.ts';
import { keyedList } from './keyed-list.ts';

/** The section; shows what it is given. */
export function callsSection(): (calls: readonly ShownCall[]) => void {
  const list = keyedList<ShownCall>({
    container: shell('calls'),
    empty: shell('no-calls'),
    keyOf: ({ call_id }) => call_id,
    build: callRow,
  });
  return (calls) => void list.show(calls);
}

function callRow(call: ShownCall): HTMLElement {
  const { at, dialect, name, outcome, error_code, decision, rule, duration_ms } = call;
  const state = outcome ?? 'running';
  return element(
    'tr',
    '',
    element('td', 'muted', timeOf(at)),
    element('td', 'tool', visible(name), ' ', element('span', 'muted', visible(dialect))),
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
