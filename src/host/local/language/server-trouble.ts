/** What goes wrong with a language server, as an answer can tell it. */
import type { NoAnswer, NoAnswerStatus } from '../../ports.ts';

/** Thrown where a server does not answer; never leaves this folder. */
export class ServerTrouble extends Error {
  readonly status: NoAnswerStatus;
  readonly timedOut: boolean;

  constructor(
    message: string,
    options: { status?: NoAnswerStatus; timedOut?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.status = options.status ?? 'error';
    this.timedOut = options.timedOut ?? false;
  }

  toAnswer(about: Pick<NoAnswer, 'language' | 'server'>): NoAnswer {
    return {
      status: this.status,
      ...about,
      says: this.message,
      ...(this.timedOut ? { timedOut: true } : {}),
    };
  }
}
