/// <reference lib="dom" />
/** Questions that wait, about permission and of agents. */
import type { OpenQuestion } from '../questions.ts';
import { approvalCard } from './approval-card.ts';
import type { Connection } from './connection.ts';
import { element, shell } from './elements.ts';
import { keyedList } from './keyed-list.ts';
import { userQuestionCard } from './user-question-card.ts';

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
  const left = element('span', 'left');
  left.dataset['expires'] = String(question.expiresAt);
  const { request } = question;
  const card =
    'kind' in request
      ? userQuestionCard({ ...question, request }, left, connection)
      : approvalCard({ ...question, request }, left, connection);
  card.id = question.id;
  return card;
}

function showTimeLeft(container: HTMLElement): void {
  for (const left of container.querySelectorAll<HTMLElement>('.left')) {
    const seconds = Math.max(0, Math.round((Number(left.dataset['expires']) - Date.now()) / 1_000));
    left.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} left`;
    left.classList.toggle('soon', seconds < 30);
  }
}
