/** A call as lists show it, and what a session is called. */
import type { InputOf, OutputOf } from '../../../src/client/index.ts';

export type Call = OutputOf<'listCalls'>['calls'][number];

/** Which calls; every word narrows. */
export type Wanted = Omit<NonNullable<InputOf<'listCalls'>>, 'before' | 'limit'>;

/** All that is known of a call; what only its end tells is missing while it runs. */
export type CallFacts = OutputOf<'showCall'>;

export const OUTCOMES = ['running', 'ok', 'failed', 'denied', 'cancelled', 'interrupted'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** What a session is called where there is little room. */
export function sessionName(session: string): string {
  return session.replace(/^ses_/, '').slice(0, 8);
}
