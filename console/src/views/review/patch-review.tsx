/** One patch under review, by click and by key. */
import { type ReactNode, useEffect, useMemo, useReducer, useRef, useState } from 'react';
import { type RowsHandle, VirtualRows } from '../../diff/virtual-rows.tsx';
import { useColours } from '../../diff/use-colours.ts';
import { useLayout } from '../../diff/use-layout.ts';
import { LayoutSwitch } from '../../diff/layout-switch.tsx';
import { useKeys } from '../../keys/keys.ts';
import { Pane, Panes } from '../../panes/panes.tsx';
import type { ReviewQuestion } from '../../questions/question.ts';
import { TimeLeft } from '../../questions/time-left.tsx';
import { useAnswering } from '../../questions/use-answering.ts';
import { TextBox } from '../../text/shown-text.tsx';
import { FileList } from './file-list.tsx';
import { FinishDialog } from './finish-dialog.tsx';
import { ReviewBar } from './review-bar.tsx';
import { numbersOf, type Review, type ReviewStep, startReview, step } from './review.ts';
import { ReviewRowShown } from './review-row.tsx';
import { parseChunks, reviewRows } from './review-rows.ts';

/** Who looks at something else meanwhile finds their review again. */
const drafts = new Map<string, Review>();

export function PatchReview({ question }: { readonly question: ReviewQuestion }): ReactNode {
  const { id, request } = question;
  const answering = useAnswering(question);
  const [review, take] = useReducer(step, undefined, () => drafts.get(id) ?? startReview(request.chunks));
  useEffect(() => void drafts.set(id, review), [id, review]);
  const [aside, setAside] = useState<'comment' | 'finish'>();
  const { layout } = useLayout();
  const colours = useColours();
  const chunks = useMemo(() => parseChunks(review.chunks), [review.chunks]);
  const rows = useMemo(() => reviewRows(chunks, layout), [chunks, layout]);
  const list = useRef<RowsHandle>(null);
  const { at } = review;
  const here = chunks[at]!;
  const look = (to: number): void => {
    const next = Math.max(0, Math.min(chunks.length - 1, to));
    take({ do: 'look', at: next });
    list.current?.scrollTo(rows.findIndex((row) => row.at === next));
  };
  const toggle = (numbers: readonly number[]): void => take({ do: 'toggle', numbers });
  useKeys(
    'Patch review',
    aside === 'finish'
      ? []
      : [
          { key: 'j', does: 'Next chunk', run: () => look(at + 1) },
          { key: 'k', does: 'Chunk before', run: () => look(at - 1) },
          { key: ' ', does: 'Take the chunk, or leave it', run: () => toggle([here.number]) },
          {
            key: 'x',
            does: 'Take the whole file, or leave it',
            run: () => toggle(numbersOf(review, here.path)),
          },
          { key: 'a', does: 'Take all', run: () => take({ do: 'take all' }) },
          { key: 'n', does: 'Take none', run: () => take({ do: 'take none' }) },
          { key: 'c', does: 'Say something about the chunk', run: () => setAside('comment') },
          { key: 'Enter', does: 'Finish the review', run: () => setAside('finish') },
        ],
  );
  const steps: (next: ReviewStep) => void = (next) => {
    take(next);
    if (next.do === 'comment') setAside(undefined);
  };
  return (
    <Panes list={<FileList review={review} onLook={look} onToggle={toggle} />}>
      <Pane
        of={id}
        label="The patch"
        bar={
          <ReviewBar review={review} answering={answering} onFinish={() => setAside('finish')} take={take} />
        }
      >
        <header className="review-head">
          <TextBox text={request.message} label="What the agent wrote" />
          <p>
            <TimeLeft until={question.expiresAt} />
            <span className="faint">Whatever you answer allows nothing.</span>
            <LayoutSwitch />
          </p>
        </header>
        <div className="diff review-diff">
          <VirtualRows
            handle={list}
            count={rows.length}
            keyOf={(index) => index}
            render={(index) => (
              <ReviewRowShown
                row={rows[index]!}
                review={review}
                colours={colours}
                isCommenting={aside === 'comment' && rows[index]!.at === at}
                take={steps}
                onComment={() => setAside('comment')}
                onCancelComment={() => setAside(undefined)}
              />
            )}
          />
        </div>
      </Pane>
      {aside === 'finish' && (
        <FinishDialog review={review} answering={answering} onClose={() => setAside(undefined)} />
      )}
    </Panes>
  );
}
