/**
 * What a user was shown in the SDK's approval flow, until the call comes back approved. The SDK tells a call nothing
 * but that it may run; its approval counts, once, for exactly the question that was shown here.
 */
import { hash } from 'node:crypto';
import { Failure } from '../../failure.ts';
import type { ApprovalRequest, Approver } from '../../policy/approvals.ts';

/** Questions that nobody came back for are not kept for ever. */
const MAX_SHOWN = 10_000;
/** These are kept whole, and may be large. */
const MAX_FOUND = 100;

/** Whose calls they are: ids of calls are the SDK's, and mean something in one session only. */
export interface Place {
  readonly workspace: string;
  readonly session: string;
}

export class ShownQuestions {
  /** Hashes of what was shown, by place and the SDK's id of the call. */
  readonly #shown = new Map<string, string>();
  /** What a call was found to be about only when it ran, by what was called: to be shown when it is sent again. */
  readonly #found = new Map<string, ApprovalRequest>();

  /** Notes what the user is about to be shown, and returns it: the newest that is known about such a call. */
  show(place: Place, callId: string, request: ApprovalRequest): ApprovalRequest {
    const found = take(this.#found, whatIsCalled(place, request));
    const question = found === undefined || found.hash === request.hash ? request : found;
    put(this.#shown, keyOf(place, callId), question.hash, MAX_SHOWN);
    return question;
  }

  /** Answers for the user as long as the question is the one that was shown. */
  approverOf(place: Place, callId: string): Approver {
    const shown = take(this.#shown, keyOf(place, callId));
    return async (request) => {
      if (shown === request.hash) return { answer: 'once', by: 'ai-sdk' };
      put(this.#found, whatIsCalled(place, request), request, MAX_FOUND);
      throw askAgain(shown !== undefined, request);
    };
  }
}

function whatIsCalled(place: Place, { tool, args }: ApprovalRequest): string {
  return keyOf(place, JSON.stringify([tool, args]));
}

function keyOf({ workspace, session }: Place, what: string): string {
  return hash('sha256', JSON.stringify([workspace, session, what]));
}

function take<Value>(values: Map<string, Value>, key: string): Value | undefined {
  const value = values.get(key);
  values.delete(key);
  return value;
}

function put<Value>(values: Map<string, Value>, key: string, value: Value, most: number): void {
  values.delete(key);
  values.set(key, value);
  const [oldest] = values.keys();
  if (values.size > most && oldest !== undefined) values.delete(oldest);
}

/** Pending, so that what was tried in a view waits for the next call that is the same. */
function askAgain(wasShown: boolean, { id, reason }: ApprovalRequest): Failure {
  const message = wasShown
    ? 'What the call would do is not what the user was shown and approved.'
    : `${reason} The user was not asked about this call yet.`;
  return new Failure('E_PENDING', message, {
    hint: 'Nothing was done. Send exactly the same call again: the user is then asked anew.',
    details: { approval: id },
  });
}
