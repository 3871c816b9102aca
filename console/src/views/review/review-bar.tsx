/** Where the review stands, and how it goes on. */
import type { ReactNode } from 'react';
import { Button } from '../../parts/button.tsx';
import type { Answering } from '../../questions/use-answering.ts';
import { ShownText } from '../../text/shown-text.tsx';
import type { Review, ReviewStep } from './review.ts';

export interface ReviewBarProps {
  readonly review: Review;
  readonly answering: Answering;
  readonly take: (step: ReviewStep) => void;
  readonly onFinish: () => void;
}

export function ReviewBar({ review, answering, take, onFinish }: ReviewBarProps): ReactNode {
  const { chunks, at, taken, comments } = review;
  const { number, path } = chunks[at]!;
  return (
    <div className="review-bar">
      <p role="status">
        <span className="review-here">
          Chunk {number} of {chunks.length}, {taken.has(number) ? 'taken' : 'left'}
        </span>
        <span className="review-where mono faint">
          <ShownText text={path} />
        </span>
        <span className="review-sum">
          {taken.size} taken
          {comments.size > 0 && `, ${comments.size} ${comments.size === 1 ? 'comment' : 'comments'}`}
        </span>
      </p>
      <div className="answers">
        <Button kind="main" shortcut="⏎" disabled={!answering.isOpen} onClick={onFinish}>
          Finish…
        </Button>
        <Button shortcut="a" onClick={() => take({ do: 'take all' })}>
          Take all
        </Button>
        <Button shortcut="n" onClick={() => take({ do: 'take none' })}>
          Take none
        </Button>
      </div>
    </div>
  );
}
