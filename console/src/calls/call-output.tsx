/** What a call prints, as it comes, and what it answered. */
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import type { StreamedCall } from '../server/call-stream.ts';
import { visibleJson } from '../text/escapes.ts';
import { TextBox } from '../text/shown-text.tsx';
import { Part } from './call-part.tsx';

export function CallOutput({
  isRunning,
  streamed,
}: {
  readonly isRunning: boolean;
  readonly streamed: StreamedCall | undefined;
}): ReactNode {
  const box = useEnd(streamed?.output ?? '');
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
    <div ref={box}>
      {(output !== '' || isRunning) && (
        <Part title="Output">
          {isCut && <p className="faint">Its beginning was too much to keep.</p>}
          <TextBox text={output} label="What it printed" />
        </Part>
      )}
      {result !== undefined && (
        <Part title="Answer">
          <TextBox text={visibleJson(result)} label="What it answered" />
        </Part>
      )}
    </div>
  );
}

/** Keeps the end in sight, for who has not scrolled away from it. */
function useEnd(output: string): React.RefObject<HTMLDivElement | null> {
  const box = useRef<HTMLDivElement>(null);
  const end = useRef(0);
  useLayoutEffect(() => {
    const scroller = box.current?.querySelector('pre');
    if (scroller === null || scroller === undefined) return;
    if (scroller.scrollTop >= end.current - 2) scroller.scrollTop = scroller.scrollHeight;
    end.current = scroller.scrollHeight - scroller.clientHeight;
  }, [output]);
  return box;
}
