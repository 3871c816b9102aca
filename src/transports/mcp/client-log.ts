/** What agents show as log messages, for a client that asked for them: unlike progress, they outlive the request. */
import { describeMessage } from '../../runtime/describe-message.ts';
import type { DisplayMessage } from '../../runtime/people.ts';
import type { RequestWords } from './call-meta.ts';
import type { Reporting } from './progress.ts';
import { isRecord } from './rpc-peer.ts';

/** From the mildest on. */
const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;
export type LogLevel = (typeof LEVELS)[number];

const LEVEL_OF: Readonly<Record<DisplayMessage['level'], LogLevel>> = {
  info: 'info',
  progress: 'info',
  success: 'notice',
  warning: 'warning',
  error: 'error',
};

/** From 2026-07-28 on, each request says what it wants to hear. */
const LEVEL_KEY = 'io.modelcontextprotocol/logLevel';

/** A level of the protocol; undefined where it is none. */
export function toLogLevel(written: unknown): LogLevel | undefined {
  return LEVELS.find((level) => level === written);
}

/** Sends messages to the client of a request; undefined where it asked for none, now or with `logging/setLevel` before. */
export function clientLog(
  request: Reporting & Pick<RequestWords, 'envelope'>,
  asked: LogLevel | undefined,
): ((message: DisplayMessage) => void) | undefined {
  const { envelope } = request;
  const mildest = isRecord(envelope) ? toLogLevel(envelope[LEVEL_KEY]) : asked;
  if (mildest === undefined) return undefined;
  return (message) => {
    const level = LEVEL_OF[message.level];
    if (LEVELS.indexOf(level) < LEVELS.indexOf(mildest)) return;
    const params = { level, logger: 'agent', data: describeMessage(message) };
    // Whoever is gone does not need to know.
    request.notify({ method: 'notifications/message', params }).catch(() => undefined);
  };
}
