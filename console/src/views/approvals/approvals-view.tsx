/** Approvals: every question that waits for a person, and one of them whole, with its answers. */
import type { ReactNode } from 'react';
import { useKeys } from '../../keys/keys.ts';
import { Panes } from '../../panes/panes.tsx';
import { EmptyState, Trouble } from '../../parts/empty-state.tsx';
import { type AgentQuestion, isPermission, isReview, type Question } from '../../questions/question.ts';
import { useDeparted, useQuestions } from '../../questions/use-questions.ts';
import { useChosen } from '../../shell/use-chosen.ts';
import { Agent } from './agent.tsx';
import { NotificationSwitch } from './notification-switch.tsx';
import { Permission } from './permission.tsx';
import { QuestionList } from './question-list.tsx';
import { ReviewSummary } from './review-summary.tsx';
import './approvals.css';

export function ApprovalsView(): ReactNode {
  const { value: questions = NONE, failure } = useQuestions();
  const departed = useDeparted(questions);
  const { chosen, choose, move } = useChosen('approvals', questions);
  useKeys('Approvals', [
    { key: 'j', does: 'Next question', run: () => move(1) },
    { key: 'k', does: 'Question before', run: () => move(-1) },
  ]);
  return (
    <Panes
      list={
        <>
          {failure !== undefined && <Trouble failure={failure} />}
          <QuestionList questions={questions} chosen={chosen?.id} onChoose={choose} />
          <p className="departed faint" role="status">
            {departed}
          </p>
          <NotificationSwitch />
        </>
      }
    >
      {chosen === undefined ? (
        <EmptyState title="Nothing waits for you">
          When an agent needs a yes, or has a question, it is shown here.
        </EmptyState>
      ) : (
        <Asked key={chosen.id} question={chosen} />
      )}
    </Panes>
  );
}

const NONE: readonly Question[] = [];

function Asked({ question }: { readonly question: Question }): ReactNode {
  if (isPermission(question)) return <Permission question={question} />;
  if (isReview(question)) return <ReviewSummary question={question} />;
  return <Agent question={question as AgentQuestion} />;
}
