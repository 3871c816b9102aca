/// <reference lib="dom" />
/** The answers that a question offers. */
import type { Rule } from '../../../policy/rule.ts';
import type { OpenApproval } from './approval-card.ts';
import type { Connection } from './connection.ts';
import { button, element, textBox } from './elements.ts';
import { visibleJson } from './escapes.ts';

type Answer =
  | { readonly answer: 'once' | 'session' | 'always' }
  | { readonly answer: 'deny'; readonly reason: string }
  | { readonly answer: 'edit'; readonly args: unknown };

/** Sends an answer. */
type Give = (answer: Answer) => void;

export interface Answering<Given> {
  /** Where the buttons go; out of use while an answer is on its way. */
  readonly fields: HTMLFieldSetElement;
  /** What became of the answer, where that is trouble. */
  readonly trouble: HTMLElement;
  readonly give: (answer: Given) => void;
  readonly complain: (error: Error) => void;
}

/** Takes an answer to a question to the server. */
export function answering<Given>(id: string, connection: Connection): Answering<Given> {
  const trouble = element('p', 'trouble');
  trouble.role = 'alert';
  const fields = element('fieldset', 'answers');
  const complain = (error: Error): void => {
    trouble.textContent = error.message;
    fields.disabled = false;
  };
  const give = (answer: Given): void => {
    fields.disabled = true;
    trouble.textContent = '';
    connection.send(`/questions/${encodeURIComponent(id)}/answer`, answer).catch(complain);
  };
  return { fields, trouble, give, complain };
}

/** Buttons, the reason of a no, and what became of the answer where that is trouble. */
export function answerFields(question: OpenApproval, connection: Connection): HTMLElement {
  const { id, request, isEditable } = question;
  const { scope, alwaysRule } = request;
  const { fields, trouble, give, complain } = answering<Answer>(id, connection);
  const always = alwaysRule === undefined ? undefined : ruleConfirmation(alwaysRule, give);
  const edit = isEditable ? argumentEditor(request.args, { give, complain }) : undefined;
  fields.append(
    element(
      'div',
      'row',
      button('Once', 'yes', () => give({ answer: 'once' })),
      ...(scope === 'single_action' ? [] : [button('This session', '', () => give({ answer: 'session' }))]),
      ...(always === undefined ? [] : [opener('Always…', always)]),
      ...(edit === undefined ? [] : [opener('Edit…', edit)]),
      noFields(DENY, (reason) => give({ answer: 'deny', reason })),
    ),
    ...[always, edit].filter((panel) => panel !== undefined),
    trouble,
  );
  return fields;
}

/** Opens and closes a panel; whoever opens it goes on in it. */
function opener(label: string, panel: HTMLElement): HTMLButtonElement {
  return button(label, '', () => {
    panel.hidden = !panel.hidden;
    if (!panel.hidden) panel.querySelector('textarea')?.focus();
  });
}

/** A no with a reason for the agent to read; `label` says what the reason is for, `text` what the button does. */
export function noFields(
  { hint, label, text }: { readonly hint: string; readonly label: string; readonly text: string },
  give: (reason: string) => void,
): HTMLElement {
  const reason = element('input');
  reason.placeholder = hint;
  reason.setAttribute('aria-label', label);
  reason.maxLength = 2_000;
  return element(
    'span',
    'deny',
    reason,
    button(text, 'no', () => give(reason.value)),
  );
}

const DENY = { hint: 'Reason, for the agent to read', label: 'Reason to deny', text: 'Deny' };

/** The rule is shown before it is written. */
function ruleConfirmation(rule: Rule, give: Give): HTMLElement {
  const written = Object.entries(rule).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return panelOf(
    'This rule will be written to your settings, and lets the same call pass from now on:',
    textBox(written.join('\n')),
    button('Write the rule and allow', 'yes', () => give({ answer: 'always' })),
  );
}

/** Other arguments in place of the agent's. The server looks at them before the call does. */
function argumentEditor(
  args: unknown,
  { give, complain }: { readonly give: Give; readonly complain: (error: Error) => void },
): HTMLElement {
  const written = element('textarea');
  written.value = visibleJson(args);
  written.rows = Math.min(20, written.value.split('\n').length + 1);
  written.spellcheck = false;
  written.setAttribute('aria-label', 'Arguments, as JSON');
  const send = (): void => {
    try {
      give({ answer: 'edit', args: JSON.parse(written.value) as unknown });
    } catch (error) {
      complain(new Error(`This is not JSON: ${(error as Error).message}`));
    }
  };
  return panelOf(
    'The call will run once, with these arguments in place of its own:',
    written,
    button('Allow with these arguments', 'yes', send),
  );
}

/** A part of the answers that is opened first: what there is to see, and the button that goes on from it. */
function panelOf(text: string, shown: HTMLElement, yes: HTMLButtonElement): HTMLElement {
  const back = button('Back', '', () => (panel.hidden = true));
  const panel = element('div', 'confirm', element('p', '', text), shown, element('div', 'row', yes, back));
  panel.hidden = true;
  return panel;
}
