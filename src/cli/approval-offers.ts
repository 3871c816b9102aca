/** The answers that a question offers in a terminal, and the letter for each. */
import type { ApprovalAnswer, ApprovalRequest } from '../policy/approvals.ts';

export interface Offer {
  readonly letter: string;
  readonly says: string;
  /** An answer, or that one has to be written first. */
  readonly means: 'once' | 'session' | 'always' | 'deny' | 'edit' | 'reason';
}

/** Only what counts is offered. */
export function offersFor({ alwaysRule, scope }: ApprovalRequest): Offer[] {
  const session: Offer = { letter: 's', says: 'for this [s]ession', means: 'session' };
  const always: Offer = { letter: 'a', says: '[a]lways', means: 'always' };
  return [
    { letter: 'y', says: '[y]es once', means: 'once' },
    ...(scope === 'single_action' ? [] : [session]),
    ...(alwaysRule === undefined ? [] : [always]),
    { letter: 'e', says: '[e]dit', means: 'edit' },
    { letter: 'n', says: '[n]o', means: 'deny' },
    { letter: 'r', says: 'no, with a [r]eason', means: 'reason' },
  ];
}

/** The answer that needs no more words. */
export function answerOf(means: Exclude<Offer['means'], 'edit' | 'reason'>, by: string): ApprovalAnswer {
  return { answer: means, by };
}
