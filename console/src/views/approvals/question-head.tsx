/** What every question begins with: who asks, where, and how long there is to answer. */
import type { ReactNode } from 'react';
import type { Question } from '../../questions/question.ts';
import { TimeLeft } from '../../questions/time-left.tsx';
import { ShownText } from '../../text/shown-text.tsx';

export function QuestionHead({
  question,
  title,
  children,
}: {
  readonly question: Question;
  readonly title: string;
  readonly children: ReactNode;
}): ReactNode {
  const { workspace, expiresAt, request } = question;
  return (
    <header className="question-head">
      <h2>
        <ShownText text={title} />
      </h2>
      <TimeLeft until={expiresAt} />
      <p className="question-from mono">
        <ShownText text={`${request.dialect}:${request.tool}`} /> in <ShownText text={workspace} />
      </p>
      <p className="question-reason">{children}</p>
    </header>
  );
}
