/** Signs of life while a request takes its time, so that a client does not give up on it. */
import type { Notification, RequestMeta } from '@modelcontextprotocol/server';

/** Well below the time after which clients give up. */
const EVERY_MS = 5_000;
/** In that time: a command that prints much would flood its client. */
const MAX_SAID = 10;

/** A request, and the way back to who sent it. */
export interface Reporting {
  readonly _meta?: RequestMeta | undefined;
  notify(notification: Notification): Promise<void>;
}

export interface Progress extends Disposable {
  /** Whether the client hears it, and so knows that the call goes on. */
  readonly isHeard: boolean;
  /** Says what the call is doing now, soon or with the next sign of life; of no effect once the request has its answer. */
  say(message: string): void;
}

/** Tells a client that asked for it, until it is disposed. */
export function startProgress(request: Reporting, everyMs = EVERY_MS): Progress {
  const progressToken = request._meta?.progressToken;
  if (progressToken === undefined)
    return { isHeard: false, say: () => undefined, [Symbol.dispose]: () => undefined };
  let message = 'Running';
  let progress = 0;
  let said = 0;
  let isOver = false;
  const send = (): void => {
    if (isOver) return;
    const params = { progressToken, progress: ++progress, message };
    // Whoever is gone does not need to know.
    request.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
  const timer = setInterval(() => {
    said = 0;
    send();
  }, everyMs);
  return {
    isHeard: true,
    say(now) {
      message = now;
      if (++said <= MAX_SAID) send();
    },
    [Symbol.dispose]() {
      isOver = true;
      clearInterval(timer);
    },
  };
}
