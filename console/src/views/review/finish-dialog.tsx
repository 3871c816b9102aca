/** The end of a review: what goes back to the agent, before it does. */
import { type ReactNode, useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Trouble } from '../../parts/empty-state.tsx';
import type { Answering } from '../../questions/use-answering.ts';
import { answerOf, type Review, step } from './review.ts';

export interface FinishDialogProps {
  readonly review: Review;
  readonly answering: Answering;
  readonly onClose: () => void;
}

export function FinishDialog({ review, answering, onClose }: FinishDialogProps): ReactNode {
  const { isOpen, trouble, give } = answering;
  const [overall, setOverall] = useState('');
  const { chunks, taken, comments } = review;
  const files = new Set(chunks.filter(({ number }) => taken.has(number)).map(({ path }) => path)).size;
  const takeNothing = (): void => give(answerOf(step(review, { do: 'take none' }), overall));
  return (
    <Dialog
      title="Finish the review"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Back</Button>
          <Button
            kind="bad"
            disabled={!isOpen}
            data-first={taken.size === 0 || undefined}
            onClick={takeNothing}
          >
            Take nothing
          </Button>
          {taken.size > 0 && (
            <Button kind="main" data-first disabled={!isOpen} onClick={() => give(answerOf(review, overall))}>
              Apply {taken.size} of {chunks.length}
            </Button>
          )}
        </>
      }
    >
      <p>
        {taken.size === 0
          ? 'No chunk is taken: the agent is told to apply nothing.'
          : `${taken.size} of ${chunks.length} chunks in ${files} ${files === 1 ? 'file' : 'files'} go back to the agent to be applied.`}
        {comments.size > 0 &&
          ` It also reads your ${comments.size === 1 ? 'comment' : `${comments.size} comments`}.`}
      </p>
      <textarea
        className="overall"
        aria-label="Something about the whole patch"
        placeholder="Something about the whole patch, for the agent to read"
        rows={3}
        maxLength={2_000}
        value={overall}
        onChange={({ target }) => setOverall(target.value)}
      />
      {trouble !== undefined && <Trouble failure={trouble} />}
    </Dialog>
  );
}
