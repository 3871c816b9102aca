/** A row of a patch under review. */
import type { ReactNode } from 'react';
import { Counts, DiffRowShown } from '../../diff/diff-row.tsx';
import type { Colours } from '../../diff/use-colours.ts';
import { Button } from '../../parts/button.tsx';
import { ShownText } from '../../text/shown-text.tsx';
import { CommentField } from './comment-field.tsx';
import { numbersOf, type Review, type ReviewStep } from './review.ts';
import type { ParsedChunk, ReviewRow } from './review-rows.ts';
import { TakeBox } from './take-box.tsx';

export interface ReviewRowProps {
  readonly row: ReviewRow;
  readonly review: Review;
  readonly colours: Colours;
  readonly isCommenting: boolean;
  readonly take: (step: ReviewStep) => void;
  readonly onComment: () => void;
  readonly onCancelComment: () => void;
}

export function ReviewRowShown(props: ReviewRowProps): ReactNode {
  const { row, review, colours, take } = props;
  if (row.kind === 'path') {
    const numbers = numbersOf(review, row.path);
    return (
      <div className="review-path">
        <TakeBox
          label={`All chunks of ${row.path}`}
          numbers={numbers}
          taken={review.taken}
          onToggle={() => take({ do: 'toggle', numbers })}
        />
        <span className="diff-path">
          <ShownText text={row.path} />
        </span>
      </div>
    );
  }
  const isTaken = review.taken.has(review.chunks[row.at]!.number);
  const classes = ['review-row', ...(row.at === review.at ? ['current'] : []), ...(isTaken ? ['taken'] : [])];
  return (
    <div className={classes.join(' ')}>
      {row.kind === 'chunk' ? (
        <ChunkHead {...props} chunk={row.chunk} at={row.at} />
      ) : (
        <DiffRowShown row={row.row} colours={colours} />
      )}
    </div>
  );
}

function ChunkHead({
  chunk,
  at,
  review,
  isCommenting,
  take,
  onComment,
  onCancelComment,
}: ReviewRowProps & { readonly chunk: ParsedChunk; readonly at: number }): ReactNode {
  const { number, added, removed } = chunk;
  const comment = review.comments.get(number);
  return (
    <>
      <div className="chunk-head">
        <label>
          <TakeBox
            label={`Chunk ${number} of ${review.chunks.length}`}
            numbers={[number]}
            taken={review.taken}
            onToggle={() => {
              take({ do: 'look', at });
              take({ do: 'toggle', numbers: [number] });
            }}
          />
          Chunk {number} of {review.chunks.length}
        </label>
        <Counts added={added} removed={removed} />
        <Button
          kind="quiet"
          onClick={() => {
            take({ do: 'look', at });
            onComment();
          }}
        >
          {comment === undefined ? 'Comment' : 'Change comment'}
        </Button>
      </div>
      {isCommenting ? (
        <CommentField
          number={number}
          text={comment ?? ''}
          onSay={(text) => take({ do: 'comment', number, text })}
          onCancel={onCancelComment}
        />
      ) : (
        comment !== undefined && (
          <p className="chunk-comment">
            <ShownText text={comment} />
          </p>
        )
      )}
    </>
  );
}
