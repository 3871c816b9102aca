/// <reference lib="dom" />
/** A question about permission: all there is to know about its call, and the answers it offers. */
import type { ApprovalRequest } from '../../../policy/approvals.ts';
import type { OpenQuestion } from '../questions.ts';
import { answerFields } from './answer-fields.ts';
import type { Connection } from './connection.ts';
import { diffBox } from './diff-box.ts';
import { element, readOnly, textBox, visible } from './elements.ts';

/** A question about permission. */
export type OpenApproval = OpenQuestion & { readonly request: ApprovalRequest };

/** Its card. */
export function approvalCard(question: OpenApproval, left: HTMLElement, connection: Connection): HTMLElement {
  const { id, workspace, request } = question;
  const { dialect, tool, version, operation, reason, rule, accesses, preview, args } = request;
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
  card.setAttribute('aria-labelledby', title.id);
  return card;
}

type RequestAccess = ApprovalRequest['accesses'][number];

/** More commands than this are folded away where the preview shows them all. */
const SHOWN_COMMANDS = 3;

function accessList({ accesses, preview }: ApprovalRequest): HTMLElement {
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
