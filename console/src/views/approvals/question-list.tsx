/** The questions that wait, one line each. */
import type { ReactNode } from 'react';
import { ItemList } from '../../parts/item-list.tsx';
import { gistOf, isPermission, isReview, type Question, titleOf } from '../../questions/question.ts';
import { TimeLeft } from '../../questions/time-left.tsx';
import { ShownText } from '../../text/shown-text.tsx';

export interface QuestionListProps {
  readonly questions: readonly Question[];
  readonly chosen: string | undefined;
  readonly onChoose: (id: string) => void;
}

export function QuestionList({ questions, chosen, onChoose }: QuestionListProps): ReactNode {
  return (
    <ItemList
      label="Questions"
      items={questions}
      chosen={chosen}
      onChoose={onChoose}
      classOf={(question) => (isPermission(question) ? 'asks asks-permission' : 'asks')}
    >
      {(question) => (
        <>
          <span className="question-title">
            <ShownText
              text={isReview(question) ? chunkCount(question.request.chunks.length) : titleOf(question)}
            />
          </span>
          <TimeLeft until={question.expiresAt} />
          <span className="question-gist">
            <ShownText text={gistOf(question)} />
          </span>
          <span className="question-place">
            <ShownText text={question.workspace} />
          </span>
        </>
      )}
    </ItemList>
  );
}

function chunkCount(count: number): string {
  return `Patch review, ${count} ${count === 1 ? 'chunk' : 'chunks'}`;
}
