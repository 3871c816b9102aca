/** What waits for the person, wherever in the console they are. */
import { useTold } from './notifications.ts';
import { useQuestions } from './use-questions.ts';

/** How many questions wait; the desktop is told of new ones while the page is hidden. */
export function useWaiting(): number {
  const { value } = useQuestions();
  useTold(value);
  return value?.length ?? 0;
}
