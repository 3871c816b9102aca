/** Tells of questions on the desktop while nobody looks at the page. Permission is asked for by a click and never by itself. */
import { useEffect, useRef, useState } from 'react';
import { goTo } from '../shell/address.ts';
import { shownText } from '../text/escapes.ts';
import { gistOf, type Question, titleOf } from './question.ts';

export interface Notifications {
  /** `default`: nobody was asked yet; undefined where there are none. */
  readonly permission: NotificationPermission | undefined;
  readonly ask: () => void;
}

/** Whether there are notifications, and how to get them. */
export function useNotifications(): Notifications {
  const [permission, setPermission] = useState(() => globalThis.Notification?.permission);
  return { permission, ask: () => void Notification.requestPermission().then(setPermission) };
}

/** Tells of each question once, when it came while the page was hidden. */
export function useTold(questions: readonly Question[] | undefined): void {
  const known = useRef(new Set<string>());
  useEffect(() => {
    for (const question of questions ?? []) {
      const { id } = question;
      if (known.current.has(id)) continue;
      known.current.add(id);
      if (document.hidden && globalThis.Notification?.permission === 'granted') tell(question);
    }
  }, [questions]);
}

function tell(question: Question): void {
  const told = new Notification(`Handrail: ${shownText(titleOf(question))}`, {
    body: shownText(gistOf(question)),
    tag: question.id,
  });
  told.addEventListener('click', () => {
    window.focus();
    goTo('approvals', question.id);
    told.close();
  });
}
