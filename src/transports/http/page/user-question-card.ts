/// <reference lib="dom" />
/** A question of an agent: what it wrote in a box, so that it can't pass for the page's own words, and a way to answer. */
import type { UserAnswer, UserQuestion } from '../../../runtime/people.ts';
import type { OpenQuestion } from '../questions.ts';
import { type Answering, answering, noFields } from './answer-fields.ts';
import type { Connection } from './connection.ts';
import { diffBox } from './diff-box.ts';
import { button, element, readOnly, textBox, visible } from './elements.ts';

/** A question of an agent. */
export type OpenUserQuestion = OpenQuestion & { readonly request: UserQuestion };

type Give = Answering<UserAnswer>['give'];

/** Its card. */
export function userQuestionCard(
  { id, workspace, request }: OpenUserQuestion,
  left: HTMLElement,
  connection: Connection,
): HTMLElement {
  const title = element('h3', '', 'The agent asks');
  title.id = `title-${id}`;
  const card = element(
    'article',
    'question asked',
    element('div', 'head', title, element('span', 'muted', visible(workspace)), left),
    element(
      'p',
      'reason muted',
      visible(`${request.dialect}:${request.tool}`),
      '. Whatever you answer allows nothing.',
    ),
    textBox(request.message),
    connection.mayAnswer ? fieldsFor(id, request, connection) : readOnly(),
  );
  card.setAttribute('aria-labelledby', title.id);
  return card;
}

function fieldsFor(id: string, question: UserQuestion, connection: Connection): HTMLElement {
  const { fields, trouble, give } = answering<UserAnswer>(id, connection);
  fields.append(...ways(question, give), trouble);
  return fields;
}

function ways(question: UserQuestion, give: Give): HTMLElement[] {
  if (question.kind === 'choice') {
    const choose = (choice: string): HTMLButtonElement => {
      const made = button('', 'choice', () => give({ kind: 'choice', choice }));
      made.append(visible(choice));
      return made;
    };
    return [element('div', 'row', ...question.choices.map(choose), declineFields(give))];
  }
  return question.kind === 'text' ? textFields(give) : reviewFields(question, give);
}

function textFields(give: Give): HTMLElement[] {
  const text = element('textarea');
  text.rows = 3;
  text.setAttribute('aria-label', 'Your answer');
  const send = button('Answer', 'yes', () => give({ kind: 'text', text: text.value }));
  return [text, element('div', 'row', send, declineFields(give))];
}

/** Every chunk with a box to check, and a line for the agent to read. */
function reviewFields({ chunks }: Extract<UserQuestion, { kind: 'review' }>, give: Give): HTMLElement[] {
  const rows = chunks.map(({ number, path, text }) => {
    const taken = element('input');
    taken.type = 'checkbox';
    const name = `Chunk ${number} of ${chunks.length}`;
    const comment = element('input');
    comment.placeholder = 'Comment, for the agent to read';
    comment.setAttribute('aria-label', `Comment on chunk ${number}`);
    comment.maxLength = 2_000;
    const head = element('div', 'row', element('label', 'take', taken, ` ${name}, `, visible(path)), comment);
    return { number, taken, comment, made: element('div', 'chunk', head, diffBox(text)) };
  });
  const check = ({ isChecked }: { readonly isChecked: boolean }): void => {
    for (const { taken } of rows) taken.checked = isChecked;
  };
  const send = (): void => {
    const numbers = rows.filter(({ taken }) => taken.checked).map(({ number }) => number);
    const comments = rows.flatMap(({ number: chunk, comment: { value: text } }) =>
      text === '' ? [] : [{ chunk, text }],
    );
    give({ kind: 'review', action: numbers.length === 0 ? 'cancel' : 'apply', taken: numbers, comments });
  };
  return [
    ...rows.map(({ made }) => made),
    element(
      'div',
      'row',
      button('Take what is checked', 'yes', send),
      button('Check all', '', () => check({ isChecked: true })),
      button('Check none', '', () => check({ isChecked: false })),
      declineFields(give),
    ),
  ];
}

function declineFields(give: Give): HTMLElement {
  return noFields(DECLINE, (reason) => give({ kind: 'declined', reason }));
}

const DECLINE = {
  hint: 'Why not, for the agent to read',
  label: 'Reason to give no answer',
  text: 'No answer',
};
