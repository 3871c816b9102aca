/** What a call prints, as it comes, and what it answered. */
import type { ReactNode } from 'react';
import type { StreamedCall } from '../server/call-stream.ts';
import { TextBox } from '../text/shown-text.tsx';
import { Answer } from './answer.tsx';
import { Part } from './call-part.tsx';

export function CallOutput({
  isRunning,
  streamed,
}: {
  readonly isRunning: boolean;
  readonly streamed: StreamedCall | undefined;
}): ReactNode {
  if (streamed === undefined) {
    if (isRunning) return null;
    return (
      <Part title="Output">
        <p className="faint">
          It ended before this page was open. The audit keeps what calls do, not what they print.
        </p>
      </Part>
    );
  }
  const { output, isCut, result } = streamed;
  return (
    <>
      {(output !== '' || isRunning) && (
        <Part title="Output">
          {isCut && <p className="faint">Its beginning was too much to keep.</p>}
          <TextBox text={output} label="What it printed" isFollowed />
        </Part>
      )}
      {result !== undefined && (
        <Part title="Answer">
          <Answer value={answerIn(result)} />
        </Part>
      )}
    </>
  );
}

/** What matters of the envelope around it. */
function answerIn(result: unknown): unknown {
  const { payload, error } = result as { readonly payload: unknown; readonly error: unknown };
  return payload ?? error;
}
