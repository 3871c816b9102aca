/** What the session of a call means to do, and what it has shown its user. */
import type { ReactNode } from 'react';
import { Badge, type Tone } from '../parts/badge.tsx';
import { Time } from '../parts/time.tsx';
import { useLive } from '../server/use-live.ts';
import { ShownText, TextBox } from '../text/shown-text.tsx';
import { Part } from './call-part.tsx';

const LEVELS: Readonly<Record<string, Tone>> = {
  info: 'plain',
  progress: 'busy',
  success: 'good',
  warning: 'warn',
  error: 'bad',
};
const MARKS = { pending: '○', in_progress: '◐', completed: '●' } as const;
const SHOWN = 5;

export function SessionNotes({ session }: { readonly session: string }): ReactNode {
  return (
    <>
      <SessionTodos session={session} />
      <SessionMessages session={session} />
    </>
  );
}

function SessionTodos({ session }: { readonly session: string }): ReactNode {
  const { value } = useLive(
    `todos/${session}`,
    (client, signal) => client.listTodos({ id: session }, { signal }),
    ['todos'],
  );
  const todos = value?.todos ?? [];
  if (todos.length === 0) return null;
  return (
    <Part title="Todos">
      <ul className="todos">
        {todos.map(({ id, content, status }) => (
          <li key={id} className={status}>
            <span role="img" aria-label={status.replace('_', ' ')}>
              {MARKS[status]}
            </span>
            <span>
              <ShownText text={content} />
            </span>
          </li>
        ))}
      </ul>
    </Part>
  );
}

function SessionMessages({ session }: { readonly session: string }): ReactNode {
  const { value } = useLive('messages', (client, signal) => client.listMessages({}, { signal }), [
    'messages',
  ]);
  const messages = value?.messages.filter((message) => message.session === session) ?? [];
  if (messages.length === 0) return null;
  return (
    <Part title="Shown to you">
      <ul className="shown-messages">
        {messages.slice(0, SHOWN).map(({ id, at, message: { level, title, content } }) => (
          <li key={id}>
            <Time at={at} /> <Badge tone={LEVELS[level] ?? 'plain'}>{level}</Badge>{' '}
            {title !== undefined && (
              <b>
                <ShownText text={title} />
              </b>
            )}
            <TextBox text={content} label="What it showed" />
          </li>
        ))}
      </ul>
    </Part>
  );
}
