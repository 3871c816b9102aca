/** Waits for a person, but not for ever, and not for one whose answer is no longer wanted. */
import { Failure } from '../failure.ts';

export interface Waiting {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** The failure where nobody answered in time. */
  readonly late: () => Failure;
}

/** The answer; a failure where it comes too late, or the call was cancelled. The signal tells who answers to stop. */
export async function answerInTime<Answer>(
  ask: (signal: AbortSignal) => Promise<Answer>,
  { signal, timeoutMs, late }: Waiting,
): Promise<Answer> {
  signal.throwIfAborted();
  const expiry = AbortSignal.timeout(timeoutMs);
  const ended = AbortSignal.any([signal, expiry]);
  const { promise: end, reject } = Promise.withResolvers<never>();
  const onEnd = (): void =>
    reject(expiry.aborted ? late() : new Failure('E_CANCELLED', 'The call was cancelled.'));
  ended.addEventListener('abort', onEnd, { once: true });
  try {
    return await Promise.race([ask(ended), end]);
  } finally {
    ended.removeEventListener('abort', onEnd);
  }
}
