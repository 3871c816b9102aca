/** Takes a person's answer to the server. */
import { useCallback, useState } from 'react';
import type { InputOf } from '../../../src/client/index.ts';
import { useServer } from '../server/server.tsx';
import type { Question } from './question.ts';
import { noteAnswer, useQuestions } from './use-questions.ts';
import { useSettled } from './use-settled.ts';

type Given = InputOf<'answerApproval'>;
/** What is answered, without the question. */
export type Answer = Given extends infer One ? (One extends { id: string } ? Omit<One, 'id'> : never) : never;

export interface Answering {
  /** Whether an answer can be given now. */
  readonly isOpen: boolean;
  /** Why the last one did not count. */
  readonly trouble: Error | undefined;
  readonly give: (answer: Answer) => void;
}

/** For the question that is shown. */
export function useAnswering(question: Question): Answering {
  const { client, mayAnswer } = useServer();
  const { reload } = useQuestions();
  const { id, request } = question;
  // A question that is asked anew may show something else.
  const isSettled = useSettled(`${id} ${JSON.stringify(request)}`);
  const [sent, setSent] = useState<{ readonly id: string; readonly trouble?: Error }>();
  const ownSent = sent?.id === id ? sent : undefined;
  const isBusy = ownSent !== undefined && ownSent.trouble === undefined;
  const isOpen = mayAnswer && isSettled && !isBusy;
  const give = useCallback(
    (answer: Answer) => {
      if (!isOpen) return;
      setSent({ id });
      client
        .answerApproval({ id, ...answer })
        .then(
          () => noteAnswer(id),
          (trouble: Error) => setSent({ id, trouble }),
        )
        .finally(reload);
    },
    [client, id, isOpen, reload],
  );
  return { isOpen, trouble: ownSent?.trouble, give };
}
