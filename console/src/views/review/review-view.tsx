/** Patch review: a patch chunk by chunk; what is taken and what is said goes back to the agent that asked. */
import type { ReactNode } from 'react';
import { EmptyState } from '../../parts/empty-state.tsx';
import { isReview } from '../../questions/question.ts';
import { ReadOnly } from '../../questions/read-only.tsx';
import { useDeparted, useQuestions } from '../../questions/use-questions.ts';
import { useServer } from '../../server/server.tsx';
import { useChosen } from '../../shell/use-chosen.ts';
import { PatchReview } from './patch-review.tsx';
import './review.css';

export function ReviewView(): ReactNode {
  const { value: questions } = useQuestions();
  const reviews = questions?.filter(isReview);
  const departed = useDeparted(reviews);
  const { chosen } = useChosen('review', reviews ?? []);
  const { mayAnswer } = useServer();
  if (!mayAnswer)
    return (
      <EmptyState title="Patches are shown to who may answer">
        <ReadOnly />
      </EmptyState>
    );
  if (chosen !== undefined) return <PatchReview key={chosen.id} question={chosen} />;
  return (
    <EmptyState title="No patch waits for a review">
      {departed ?? 'When an agent has a patch reviewed, its chunks are shown here.'}
    </EmptyState>
  );
}
