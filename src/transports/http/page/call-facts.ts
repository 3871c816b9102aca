/// <reference lib="dom" />
/** All there is to know about a call: what it ran or was given, what it touched, and how it ended. */
import type { CallFacts } from '../calls.ts';
import type { Connection } from './connection.ts';
import { element, textBox, visible } from './elements.ts';

/** Shows a call once it was fetched. */
export function callFacts(callId: string, connection: Connection): HTMLElement {
  const body = element('div', 'call-facts');
  connection.read<CallFacts>(`/calls/${encodeURIComponent(callId)}`).then(
    (facts) => body.replaceChildren(...describe(facts)),
    (error: Error) => body.replaceChildren(element('p', 'trouble', error.message)),
  );
  return body;
}

function describe(facts: CallFacts): HTMLElement[] {
  const { args, edited_args, artifacts, error, accesses = [], effects = [], approver, sandbox } = facts;
  const answerer = approver ?? facts.answered_by;
  const { effects_total: total = effects.length, hosts_reached: hosts = [] } = facts;
  const commands = artifacts?.commands_run ?? [];
  const given = JSON.stringify(edited_args ?? args, undefined, 2);
  return [
    ...(error === undefined ? [] : [element('p', '', visible(error.message))]),
    ...(commands.length === 0 ? [textBox(given)] : commands.map((command) => textBox(command))),
    element(
      'dl',
      '',
      ...fact(
        'touches',
        // What was run is above.
        accesses
          .filter(({ permission }) => permission !== 'proc.exec')
          .map(({ permission, resource }) => `${permission} ${resource}`),
      ),
      ...fact(
        'changed',
        effects
          .map(({ path, change, reversible }) => `${path} ${change}${reversible ? '' : ', for good'}`)
          .concat(total > effects.length ? [`… and ${total - effects.length} more`] : []),
      ),
      ...fact(
        'reached',
        hosts.map((host) => `${host}, for good`),
      ),
      ...fact('sandbox', sandbox === undefined ? [] : [`tier ${sandbox}`]),
      ...fact('answered by', answerer === undefined ? [] : [answerer]),
      ...fact('arguments', edited_args === undefined ? [] : ['changed by the person who was asked']),
    ),
  ];
}

/** A name and what there is to it; nothing where there is nothing. */
function fact(name: string, values: readonly string[]): HTMLElement[] {
  if (values.length === 0) return [];
  return [element('dt', '', name), ...values.map((value) => element('dd', '', visible(value)))];
}
