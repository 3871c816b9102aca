/** What to do about trouble with a provider: whether to ask again, and when. */
import { Failure } from '../failure.ts';

/** More than this is not waited for. */
const MAX_WAIT_MS = 60_000;
const FIRST_WAIT_MS = 150;
export const MAX_RETRIES = 3;

/** How long to wait before the attempt after this one; undefined where another would be in vain. */
export function waitBefore(attempt: number, error: unknown, now: number): number | undefined {
  if (attempt > MAX_RETRIES || !isPassing(error)) return undefined;
  const asked = retryAfter(error, now);
  const wait = asked ?? FIRST_WAIT_MS * 4 ** (attempt - 1);
  return wait > MAX_WAIT_MS ? undefined : wait;
}

/** What happened, in a line. */
export function reasonOf(error: unknown): string {
  const { statusCode } = asProviderTrouble(error);
  const message = error instanceof Error ? error.message : JSON.stringify(error);
  if (hasBrokenOff(error)) return 'The connection broke off.';
  return `${statusCode === undefined ? '' : `HTTP ${statusCode}: `}${message.split('\n')[0]!.slice(0, 500)}`;
}

/** Trouble that stays, as a failure with a next step. */
export function providerFailure(error: unknown, model: string): Failure {
  if (error instanceof Failure) return error;
  const { statusCode } = asProviderTrouble(error);
  return new Failure('E_IO', `The model ${model} could not be asked. ${reasonOf(error)}`, {
    hint: hintFor(statusCode),
    cause: error,
  });
}

/** Whether the provider says that it was told too much at once. */
export function isTooLong(error: unknown): boolean {
  const { statusCode, responseBody = '' } = asProviderTrouble(error);
  const message = error instanceof Error ? error.message : '';
  return (
    (statusCode === 400 || statusCode === 413) &&
    /context.{0,20}(length|window|size)|too (long|large|many tokens)|maximum.{0,20}tokens/i.test(
      `${message} ${responseBody}`,
    )
  );
}

function hintFor(statusCode: number | undefined): string {
  if (statusCode === 401 || statusCode === 403) return 'Look at the key in your environment.';
  if (statusCode === 404) return 'Look at the name of the model, and at the address it is asked at.';
  if (statusCode === 429) return 'The provider wants fewer questions: go on later, or with another model.';
  if (statusCode !== undefined && statusCode < 500) return 'Another model may take what this one refuses.';
  return 'Look at whether the provider can be reached, and say the same again.';
}

function isPassing(error: unknown): boolean {
  const { statusCode, isRetryable } = asProviderTrouble(error);
  if (hasBrokenOff(error)) return true;
  if (statusCode !== undefined) return statusCode === 408 || statusCode === 429 || statusCode >= 500;
  // A connection that broke has no status.
  return isRetryable !== false;
}

/** Whether an answer began well. */
function hasBrokenOff(error: unknown): boolean {
  const { statusCode = 0 } = asProviderTrouble(error);
  return statusCode >= 200 && statusCode < 300;
}

function retryAfter(error: unknown, now: number): number | undefined {
  const { responseHeaders = {} } = asProviderTrouble(error);
  const milliseconds = Number(responseHeaders['retry-after-ms'] ?? Number.NaN);
  if (Number.isFinite(milliseconds)) return Math.max(0, milliseconds);
  const written = responseHeaders['retry-after'];
  if (written === undefined) return undefined;
  const seconds = Number(written);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1_000);
  const date = Date.parse(written);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

interface ProviderTrouble {
  readonly statusCode?: number;
  readonly isRetryable?: boolean;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  readonly responseBody?: string;
}

/** What the SDK's errors carry, whichever of its copies they come from. */
function asProviderTrouble(error: unknown): ProviderTrouble {
  return typeof error === 'object' && error !== null ? error : {};
}
