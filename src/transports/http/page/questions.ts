/// <reference lib="dom" />
/** Questions that wait: each with all there is to know about its call, and the answers it offers. */
import type { OpenQuestion } from '../live.ts';
import { answerFields } from './answer-fields.ts';
import type { Connection } from './connection.ts';
import { diffBox } from './diff-box.ts';
import { element, shell, textBox, visible } from './elements.ts';
import { keyedList } from './keyed-list.ts';

/** When the list moves under the pointer, a click meant for one question must not answer another. */
const SETTLE_MS = 500;

/** The section; shows what it is given. */
export function questionsSection(connection: Connection): (questions: readonly OpenQuestion[]) => void {
  const container = shell('questions');
  const list = keyedList<OpenQuestion>({
    container,
    empty: shell('no-questions'),
    keyOf: ({ id }) => id,
    build: (question) => questionCard(question, connection),
  });
  let settled: ReturnType<typeof setTimeout> | undefined;
  setInterval(() => showTimeLeft(container), 1_000);
  return (questions) => {
    const { length } = questions;
    document.title = length === 0 ? 'Handrail' : `(${length}) Handrail`;
    shell('question-count').textContent = length === 0 ? '' : String(length);
    if (!list.show(questions)) return;
    showTimeLeft(container);
    setClickable(container, { isClickable: false });
    clearTimeout(settled);
    settled = setTimeout(() => setClickable(container, { isClickable: true }), SETTLE_MS);
  };
}

/** Only buttons: who is writing goes on, and an answer that is on its way stays the only one. */
function setClickable(container: HTMLElement, { isClickable }: { readonly isClickable: boolean }): void {
  for (const button of container.querySelectorAll('button')) button.disabled = !isClickable;
}

function questionCard(question: OpenQuestion, connection: Connection): HTMLElement {
  const { id, workspace, expiresAt, request } = question;
  const { dialect, tool, version, operation, reason, rule, accesses, preview, args } = request;
  const left = element('span', 'left');
  left.dataset['expires'] = String(expiresAt);
  const title = element('h3', '', visible(tool));
  title.id = `title-${id}`;
  const card = element(
    'article',
    'question',
    element('div', 'head', title, element('span', 'muted', visible(workspace)), left),
    element('p', 'reason', visible(reason), ' ', element('span', 'muted', visible(rule))),
    accessList(request),
    ...(accesses.some(({ isOutside }) => isOutside === true) ? [outside()] : []),
    ...(preview === undefined
      ? []
      : [preview.kind === 'diff' ? diffBox(preview.text) : countedBox(preview.text)]),
    wholeRequest(
      { dialect, tool, version, operation, session: request.session, call: request.callId, args },
      preview === undefined,
    ),
    connection.mayAnswer ? answerFields(question, connection) : readOnly(),
  );
  card.id = id;
  card.setAttribute('aria-labelledby', title.id);
  return card;
}

type RequestAccess = OpenQuestion['request']['accesses'][number];

/** More commands than this are folded away where the preview shows them all. */
const SHOWN_COMMANDS = 3;

function accessList({ accesses, preview }: OpenQuestion['request']): HTMLElement {
  const commands = accesses.filter(isCommand);
  if (preview === undefined || commands.length <= SHOWN_COMMANDS)
    return element('ul', 'accesses', ...accesses.map(accessLine));
  const folded = element(
    'details',
    'request',
    element('summary', '', `${commands.length} commands, one by one`),
    element('ul', '', ...commands.map(accessLine)),
  );
  const others = accesses.filter((access) => !isCommand(access));
  return element('ul', 'accesses', ...others.map(accessLine), element('li', '', folded));
}

function isCommand({ permission }: RequestAccess): boolean {
  return permission === 'proc.exec';
}

function accessLine({ permission, resource, resolved }: RequestAccess): HTMLElement {
  const path = resource === resolved ? [visible(resolved)] : [visible(resource), ' → ', visible(resolved)];
  return element('li', '', element('span', 'permission', permission), ' ', element('code', '', ...path));
}

/** The preview says so too, but at its end, which may be out of sight. */
function outside(): HTMLElement {
  return element('p', 'trouble', 'It would run outside the sandbox, and could do whatever you can.');
}

/** Text that may be longer than its box. */
function countedBox(text: string): HTMLElement {
  const { length } = text.replace(/\n$/, '').split('\n');
  return element(
    'div',
    'change',
    element('p', 'counts muted', `${length} ${length === 1 ? 'line' : 'lines'} in all`),
    textBox(text),
  );
}

function wholeRequest(request: object, isOpen: boolean): HTMLElement {
  const details = element(
    'details',
    'request',
    element('summary', '', 'Whole request'),
    textBox(JSON.stringify(request, undefined, 2)),
  );
  details.open = isOpen;
  return details;
}

function readOnly(): HTMLElement {
  return element(
    'p',
    'muted',
    'To answer here, open the whole address that ',
    element('code', '', 'handrail serve'),
    ' printed.',
  );
}

function showTimeLeft(container: HTMLElement): void {
  for (const left of container.querySelectorAll<HTMLElement>('.left')) {
    const seconds = Math.max(0, Math.round((Number(left.dataset['expires']) - Date.now()) / 1_000));
    left.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} left`;
    left.classList.toggle('soon', seconds < 30);
  }
}
