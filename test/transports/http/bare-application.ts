/** The application without a listener: what it says is heard, whatever happens to connections. */
import type { Hono } from 'hono';
import { localClock } from '../../../src/host/local/clock.ts';
import { EventFeed } from '../../../src/transports/http/event-feed.ts';
import { presence } from '../../../src/transports/http/presence.ts';
import { routes } from '../../../src/transports/http/routes.ts';
import { ServedSessions } from '../../../src/transports/http/served-sessions.ts';
import { NO_CONVERSATIONS } from './no-conversations.ts';
import { NO_METRICS } from './no-metrics.ts';
import { KEY, type Serving, TOKEN } from './serving.ts';

/** What its requests are sent to. */
export const ORIGIN = 'http://localhost:4870';

export function bareApplication(
  { runtime, records }: Pick<Serving, 'runtime' | 'records'>,
  sessions: ServedSessions = bareSessions(),
): Hono {
  return routes({
    runtime,
    records,
    presence: presence(() => records.beApprover()),
    feed: new EventFeed(),
    sessions,
    conversations: NO_CONVERSATIONS,
    mcp: { fetch: async () => new Response() },
    metrics: NO_METRICS,
    sockets: { admit: async () => new Response() },
    clock: localClock,
    version: '0.0.0',
    credentials: { token: TOKEN, approvalKey: KEY },
    authorities: () => [new URL(ORIGIN).host],
  });
}

/** Sessions that nobody else knows of. */
export function bareSessions(): ServedSessions {
  return new ServedSessions({ leave: async () => undefined, chosen: async () => ({}) });
}
