/** A call that was not ok, as it is thrown where a dialect's failures are. */
import type { FailureCode } from '../../failure.ts';
import type { CallResponse } from '../../runtime/spine.ts';

/** The SDK hands it to the model as JSON or as text; both say why, and what to do next. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';
  readonly code: FailureCode;
  readonly hint: string | undefined;
  readonly outcome: CallResponse['outcome'];
  readonly callId: string;

  constructor({ result, outcome, callId }: CallResponse) {
    const { code, message, details } = result.error ?? UNKNOWN;
    super(message);
    this.code = code;
    this.hint = typeof details?.['hint'] === 'string' ? details['hint'] : undefined;
    this.outcome = outcome;
    this.callId = callId;
  }

  toJSON(): { code: FailureCode; message: string; hint?: string } {
    const { code, message, hint } = this;
    return { code, message, ...(hint === undefined ? {} : { hint }) };
  }

  override toString(): string {
    return [`${this.code}: ${this.message}`, ...(this.hint === undefined ? [] : [this.hint])].join(' ');
  }
}

const UNKNOWN: NonNullable<CallResponse['result']['error']> = {
  code: 'E_INTERNAL',
  message: 'The call failed and did not say why.',
};
