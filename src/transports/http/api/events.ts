/** The stream of everything that happens. */
import { streamSSE } from 'hono/streaming';
import { Failure } from '../../../failure.ts';
import { APPROVAL_HEADER } from '../gate.ts';
import { route } from './route.ts';
import { serverEvent, withoutContent } from './server-event.ts';

/** A connection that is gone is found by writing to it. */
const PING_MS = 10_000;
/** More than anybody has windows; there is room left for calls. Who has no approval key leaves half of it to persons. */
const MAX_STREAMS = { person: 64, other: 32 };

export const events = route({
  name: 'events',
  method: 'get',
  path: '/api/events',
  summary:
    'Everything that happens in this server, and which parts of the store any process wrote to, as server-sent events. With the header `last-event-id` it goes on after that event, or begins with one of type `missed`. While a stream with the approval key is open, somebody is there to answer questions.',
  who: 'reader',
  type: 'text/event-stream',
  returns: serverEvent,
  async run({ feed, presence, isPerson, signal, http }) {
    if (!isPerson && http.req.header(APPROVAL_HEADER) !== undefined)
      throw new Failure('E_DENIED', 'That is not the approval key of this server.');
    if (feed.followers >= MAX_STREAMS[isPerson ? 'person' : 'other'])
      return http.text('Too many streams are open.\n', 429);
    const leave = isPerson ? presence.enter() : () => undefined;
    const gone = new AbortController();
    const end = (): void => gone.abort();
    signal.addEventListener('abort', end);
    return streamSSE(
      http,
      async (stream) => {
        stream.onAbort(end);
        let ping: Promise<unknown> | undefined;
        const timer = setInterval(() => {
          // A stream that nobody reads is not written to again and again.
          ping ??= stream.write(': still here\n\n').finally(() => (ping = undefined));
        }, PING_MS);
        try {
          const after = http.req.header('last-event-id') ?? feed.newest;
          // Where a client begins, it can also come back to, even if it never got an event.
          await stream.write(`id: ${after}\n\n`);
          for await (const { id, event } of feed.subscribe({ after, signal: gone.signal }))
            await stream.writeSSE({ id, data: JSON.stringify(isPerson ? event : withoutContent(event)) });
        } finally {
          clearInterval(timer);
          signal.removeEventListener('abort', end);
          leave();
        }
      },
      // The client comes back by itself; what went wrong is nothing it could show.
      async () => undefined,
    );
  },
});
