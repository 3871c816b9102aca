/** A call in a row: when, how it ended, what it was, and why it might. */
import type { ReactNode } from 'react';
import { OutcomeBadge } from '../parts/badge.tsx';
import { duration, Time } from '../parts/time.tsx';
import { ShownText } from '../text/shown-text.tsx';
import { type Call, sessionName } from './call.ts';
import './call-row.css';

export function CallRow({ call }: { readonly call: Call }): ReactNode {
  const { at, tool, about, session, outcome, errorCode, decision, rule, durationMs } = call;
  return (
    <div className="call-row">
      <span className="when">
        <Time at={at} />
      </span>
      <OutcomeBadge outcome={outcome} code={errorCode} />
      <span className="what">
        <b>
          <ShownText text={tool} />
        </b>
        <span className="about">
          <ShownText text={firstOf(about)} />
        </span>
        {outcome === 'failed' && <span className="code">{errorCode}</span>}
      </span>
      <span className="who" title={session}>
        {sessionName(session)}
      </span>
      <span className="why">
        {decision ?? ''}{' '}
        <span className="faint">
          <ShownText text={rule ?? ''} />
        </span>
      </span>
      <span className="took">{durationMs === null ? '' : duration(durationMs)}</span>
    </div>
  );
}

/** Over the list; who hears the rows has no use for it. */
export function CallHeads(): ReactNode {
  return (
    <div className="call-row call-heads" aria-hidden="true">
      <span className="when">Time</span>
      <span>Outcome</span>
      <span className="what">Tool</span>
      <span className="who">Session</span>
      <span className="why">Decision</span>
      <span className="took">Took</span>
    </div>
  );
}

/** The row's height: one line, or two where it is narrow. */
export const ROW_HEIGHT = { wide: 32, narrow: 54 } as const;

function firstOf(about: string | null): string {
  return about?.split('\n')[0] ?? '';
}
