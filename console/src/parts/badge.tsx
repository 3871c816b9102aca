/** How something ended, in colour and in a word. */
import type { ReactNode } from 'react';
import { ShownText } from '../text/shown-text.tsx';
import './badge.css';

export type Tone = 'good' | 'bad' | 'warn' | 'busy' | 'plain';

const TONES: Readonly<Record<string, Tone>> = {
  ok: 'good',
  failed: 'warn',
  cancelled: 'warn',
  denied: 'bad',
  interrupted: 'bad',
  running: 'busy',
};

/** A word with a mark. */
export function Badge({
  tone = 'plain',
  children,
  title,
}: {
  readonly tone?: Tone;
  readonly children: ReactNode;
  readonly title?: string | undefined;
}): ReactNode {
  return (
    <span className={`badge ${tone}`} title={title}>
      {children}
    </span>
  );
}

/** Of a call; one without an outcome runs. */
export function OutcomeBadge({
  outcome,
  code,
}: {
  readonly outcome: string | null | undefined;
  /** Of the failure. */
  readonly code?: string | null | undefined;
}): ReactNode {
  const state = outcome ?? 'running';
  return (
    <Badge tone={TONES[state] ?? 'plain'} title={code ?? undefined}>
      <ShownText text={state} />
    </Badge>
  );
}
