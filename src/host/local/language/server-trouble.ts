/** What goes wrong with a language server, as an answer can tell it. */
import { Failure } from '../../../failure.ts';
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

/** Waits for work, but not for ever, and not for a caller that has left. */
export async function within<Output>(
  work: Promise<Output>,
  { timeoutMs, signal, says }: { timeoutMs: number; signal?: AbortSignal | undefined; says: string },
): Promise<Output> {
  const { promise: given, reject: giveUp } = Promise.withResolvers<never>();
  const cancel = (): void =>
    giveUp(new Failure('E_CANCELLED', 'The call was cancelled.', { cause: signal?.reason }));
  const timeOut = new ServerTrouble(`${says} within ${timeoutMs / 1_000} seconds.`, { timedOut: true });
  const timer = setTimeout(() => giveUp(timeOut), timeoutMs);
  signal?.addEventListener('abort', cancel);
  if (signal?.aborted === true) cancel();
  try {
    return await Promise.race([work, given]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
    // Whoever is late finds nobody waiting.
    work.catch(() => {});
  }
}
