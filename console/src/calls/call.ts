/** A call as lists show it, and all that is known of one. */
import type { OutputOf } from '../../../src/client/client.ts';
import type { ClosedRecord, OpenedRecord } from '../../../src/journal/audit-record.ts';

export type Call = OutputOf<'listAudit'>['calls'][number];

/** So far: what only the end of a call tells is missing while it runs. */
export type CallFacts = OpenedRecord & Partial<Omit<ClosedRecord, keyof OpenedRecord>>;

export const OUTCOMES = ['running', 'ok', 'failed', 'denied', 'cancelled', 'interrupted'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** What a session is called where there is little room. */
export function sessionName(session: string): string {
  return session.replace(/^ses_/, '').slice(0, 8);
}
