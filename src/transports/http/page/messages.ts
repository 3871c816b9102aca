/// <reference lib="dom" />
/** What agents show while they work. */
import type { KeptMessage } from '../../../store/messages.ts';
import { element, shell, textBox, timeOf, visible } from './elements.ts';
import { keyedList } from './keyed-list.ts';

/** The section; shows what it is given. */
export function messagesSection(): (messages: readonly KeptMessage[]) => void {
  const list = keyedList<KeptMessage>({
    container: shell('messages'),
    empty: shell('no-messages'),
    keyOf: ({ id }) => String(id),
    build: messageCard,
  });
  return (messages) => void list.show(messages);
}

function messageCard({ at, session, message }: KeptMessage): HTMLElement {
  const { content, level, title, thought, evidence = [] } = message;
  const head = element('p', 'head', timeOf(at), element('span', `level ${level}`, level));
  head.title = session;
  if (title !== undefined) head.append(element('strong', '', visible(title)));
  const rests = [...(thought === undefined ? [] : [thought]), ...evidence];
  return element(
    'article',
    'message',
    head,
    textBox(content),
    ...(rests.length === 0
      ? []
      : [element('details', 'request', element('summary', '', 'Why'), textBox(rests.join('\n')))]),
  );
}
