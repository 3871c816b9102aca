/**
 * What a user was shown in the SDK's approval flow, until the call comes back approved. The SDK tells a call nothing
 * but that it may run; its approval counts, once, for exactly the question that was shown here.
 */
import { Failure } from '../../failure.ts';
import type { ApprovalRequest, Approver } from '../../policy/approvals.ts';

/** Questions that nobody came back for are not kept for ever. */
const MAX_SHOWN = 1_000;

export class ShownQuestions {
  /** By session and the SDK's id of the call. */
  readonly #shown = new Map<string, ApprovalRequest>();
  /** What a call was found to be about only when it ran, by what was called: to be shown when it is sent again. */
  readonly #found = new Map<string, ApprovalRequest>();

  /** Notes what the user is about to be shown, and returns it: the newest that is known about such a call. */
  show(session: string, callId: string, request: ApprovalRequest): ApprovalRequest {
    const found = take(this.#found, whatIsCalled(session, request));
    const question = found === undefined || found.hash === request.hash ? request : found;
    put(this.#shown, keyOf(session, callId), question);
    return question;
  }

  /** Answers for the user as long as the question is the one that was shown. */
  approverOf(session: string, callId: string): Approver {
    const shown = take(this.#shown, keyOf(session, callId));
    return async (request) => {
      if (shown !== undefined && isSame(shown, request)) return { answer: 'once', by: 'ai-sdk' };
      put(this.#found, whatIsCalled(session, request), request);
      throw askAgain(shown, request);
    };
  }
}

function isSame(shown: ApprovalRequest, request: ApprovalRequest): boolean {
  return shown.hash === request.hash && shown.preview?.text === request.preview?.text;
}

function whatIsCalled(session: string, { tool, args }: ApprovalRequest): string {
  return keyOf(session, tool, args);
}

function keyOf(...parts: readonly unknown[]): string {
  return JSON.stringify(parts);
}

function take(questions: Map<string, ApprovalRequest>, key: string): ApprovalRequest | undefined {
  const question = questions.get(key);
  questions.delete(key);
  return question;
}

function put(questions: Map<string, ApprovalRequest>, key: string, question: ApprovalRequest): void {
  questions.delete(key);
  questions.set(key, question);
  const [oldest] = questions.keys();
  if (questions.size > MAX_SHOWN && oldest !== undefined) questions.delete(oldest);
}

/** Pending, so that what was tried in a view waits for the next call that is the same. */
function askAgain(shown: ApprovalRequest | undefined, { id, reason }: ApprovalRequest): Failure {
  const message =
    shown === undefined
      ? `${reason} The user was not asked about this call yet.`
      : 'What the call would do is not what the user was shown and approved.';
  return new Failure('E_PENDING', message, {
    hint: 'Nothing was done. Send exactly the same call again: the user is then asked anew.',
    details: { approval: id },
  });
}
