/** A call between what was said: in a row like any other, with what it was given and answered behind it. */
import type { ReactNode } from 'react';
import { Answer } from '../../calls/answer.tsx';
import { Part } from '../../calls/call-part.tsx';
import { gistOf } from '../../calls/gist.ts';
import { OutcomeBadge } from '../../parts/badge.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { visibleJson } from '../../text/escapes.ts';
import { ShownText, TextBox } from '../../text/shown-text.tsx';
import type { SaidCall } from './piece.ts';

export function SaidCallFold({ call }: { readonly call: SaidCall }): ReactNode {
  const { tool, args, outcome, isRunning } = call;
  return (
    <details className="said-call">
      <summary>
        <h2>
          <ShownText text={tool} />
        </h2>{' '}
        <span className="about">
          <ShownText text={gistOf(args)} />
        </span>{' '}
        {(isRunning || outcome !== undefined) && <OutcomeBadge outcome={outcome} />}
      </summary>
      <Known call={call} />
    </details>
  );
}

function Known({
  call: { args, output, isRunning, answer, callId },
}: {
  readonly call: SaidCall;
}): ReactNode {
  const given = visibleJson(args);
  return (
    <>
      <Part title="Arguments" action={<CopyButton text={given} />}>
        <TextBox text={given} label="The arguments" />
      </Part>
      {isRunning && output !== '' && (
        <Part title="Output">
          <TextBox text={output} label="What it printed" isFollowed />
        </Part>
      )}
      {answer !== undefined && (
        <Part title="Answer">
          <Answer value={answer} />
        </Part>
      )}
      {callId !== undefined && (
        <p>
          <a href={`#/live/${encodeURIComponent(callId)}`}>All that is known of this call</a>
        </p>
      )}
    </>
  );
}
