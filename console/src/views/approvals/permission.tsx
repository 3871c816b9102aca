/** A question about permission: all there is to know about its call, and its answers. */
import type { ReactNode } from 'react';
import { DiffView } from '../../diff/diff-view.tsx';
import { Pane } from '../../panes/panes.tsx';
import { Accesses } from '../../questions/accesses.tsx';
import type { PermissionQuestion } from '../../questions/question.ts';
import { ShownText, TextBox } from '../../text/shown-text.tsx';
import { PermissionAnswers } from './permission-answers.tsx';
import { QuestionHead } from './question-head.tsx';

export function Permission({ question }: { readonly question: PermissionQuestion }): ReactNode {
  const { request } = question;
  const { tool, reason, rule, accesses, preview } = request;
  const isOutside = accesses.some((access) => access.isOutside === true);
  return (
    <Pane of={question.id} label="What will happen" bar={<PermissionAnswers question={question} />}>
      <QuestionHead question={question} title={tool}>
        <ShownText text={reason} />{' '}
        <span className="faint mono">
          <ShownText text={rule} />
        </span>
      </QuestionHead>
      {/* The preview says so too, but at its end, which may be out of sight. */}
      {isOutside && (
        <p className="warning">It would run outside the sandbox, and could do whatever you can.</p>
      )}
      {preview?.kind === 'text' && <TextBox text={preview.text} label="What it would do" />}
      <Accesses accesses={accesses} hasPreview={preview !== undefined} />
      {preview?.kind === 'diff' && <DiffView diff={preview.text} label="The change" />}
      <WholeRequest question={question} isOpen={preview === undefined} />
    </Pane>
  );
}

function WholeRequest({
  question: { request },
  isOpen,
}: {
  readonly question: PermissionQuestion;
  readonly isOpen: boolean;
}): ReactNode {
  const { dialect, tool, version, operation, session, callId: call, args } = request;
  const whole = { dialect, tool, version, operation, session, call, args };
  return (
    <details className="folded" open={isOpen}>
      <summary>Whole request</summary>
      <TextBox text={JSON.stringify(whole, undefined, 2)} label="Whole request" />
    </details>
  );
}
