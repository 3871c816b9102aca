/** The questions that wait, of every workspace, oldest first; and a word about those that went away by themselves. */
import { useEffect, useRef, useState } from 'react';
import { type Live, useLive } from '../server/use-live.ts';
import { type Question, titleOf } from './question.ts';

/** Follows them. Nobody writes down that the time of one is over whose agent is gone, so it is asked for then. */
export function useQuestions(): Live<readonly Question[]> {
  const live = useLive(
    'questions',
    async (client, signal) => (await client.listApprovals({}, { signal })).approvals,
    ['approvals'],
  );
  const { value: questions = [], reload } = live;
  const nextExpiry = Math.min(...questions.map(({ expiresAt }) => expiresAt));
  useEffect(() => {
    if (nextExpiry === Infinity) return undefined;
    const timer = setTimeout(reload, Math.max(0, nextExpiry - Date.now()) + LATE_MS);
    return () => clearTimeout(timer);
  }, [nextExpiry, reload]);
  return live;
}

/** Later than this, it is over for the server too. */
const LATE_MS = 500;

const answeredHere = new Set<string>();

/** Says that this page answered it. */
export function noteAnswer(id: string): void {
  answeredHere.add(id);
}

/** Says what became of the last question that somebody else answered, or nobody. */
export function useDeparted(questions: readonly Question[] | undefined): string | undefined {
  const before = useRef<readonly Question[]>([]);
  const [word, setWord] = useState<string>();
  useEffect(() => {
    if (questions === undefined) return;
    const gone = before.current.find(
      ({ id }) => !answeredHere.has(id) && !questions.some((question) => question.id === id),
    );
    before.current = questions;
    if (gone === undefined) return;
    const isLate = gone.expiresAt <= Date.now();
    setWord(
      `${titleOf(gone)}: ${isLate ? 'nobody answered in time' : 'answered elsewhere, or no longer asked'}.`,
    );
  }, [questions]);
  return word;
}
