/// <reference lib="dom" />
/** The answers that a question offers. */
import type { Rule } from '../../../policy/rule.ts';
import type { OpenQuestion } from '../live.ts';
import type { Connection } from './connection.ts';
import { button, element, textBox } from './elements.ts';

/** Gives an answer; a no may come with its reason. */
type Give = (answer: 'once' | 'session' | 'always' | 'deny', reason?: string) => void;

/** Buttons, the reason of a no, and what became of the answer where that is trouble. */
export function answerFields({ id, request }: OpenQuestion, connection: Connection): HTMLElement {
  const { scope, alwaysRule } = request;
  const trouble = element('p', 'trouble');
  trouble.role = 'alert';
  const fields = element('fieldset', 'answers');
  const give: Give = (answer, reason) => {
    fields.disabled = true;
    trouble.textContent = '';
    connection
      .send(`/questions/${encodeURIComponent(id)}/answer`, { answer, reason })
      .catch((error: Error) => {
        trouble.textContent = error.message;
        fields.disabled = false;
      });
  };
  const confirmation = alwaysRule === undefined ? undefined : ruleConfirmation(alwaysRule, give);
  const always =
    confirmation === undefined
      ? []
      : [button('Always…', '', () => (confirmation.hidden = !confirmation.hidden))];
  fields.append(
    element(
      'div',
      'row',
      button('Once', 'yes', () => give('once')),
      ...(scope === 'single_action' ? [] : [button('This session', '', () => give('session'))]),
      ...always,
      denyFields(give),
    ),
    ...(confirmation === undefined ? [] : [confirmation]),
    trouble,
  );
  return fields;
}

function denyFields(give: Give): HTMLElement {
  const reason = element('input');
  reason.placeholder = 'Reason, for the agent to read';
  reason.setAttribute('aria-label', 'Reason to deny');
  reason.maxLength = 2_000;
  return element(
    'span',
    'deny',
    reason,
    button('Deny', 'no', () => give('deny', reason.value)),
  );
}

/** The rule is shown before it is written. */
function ruleConfirmation(rule: Rule, give: Give): HTMLElement {
  const written = Object.entries(rule).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  const confirmation = element(
    'div',
    'confirm',
    element('p', '', 'This rule will be written to your settings, and lets the same call pass from now on:'),
    textBox(written.join('\n')),
    button('Write the rule and allow', 'yes', () => give('always')),
    button('Back', '', () => (confirmation.hidden = true)),
  );
  confirmation.hidden = true;
  return confirmation;
}
