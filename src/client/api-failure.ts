/** What went wrong with a request. */
import type { FailureCode } from '../failure.ts';

/** What the server said no with, or why it could not be asked. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';
  /** Of the answer; 0 where there was none. */
  readonly status: number;
  /** Undefined where the gate said no. */
  readonly code: FailureCode | undefined;
  /** What to do next. */
  readonly hint: string | undefined;

  constructor(
    status: number,
    error: { readonly code?: FailureCode; readonly message: string; readonly hint?: string },
    options?: ErrorOptions,
  ) {
    super(error.message, options);
    this.status = status;
    this.code = error.code;
    this.hint = error.hint;
  }
}
