/** Everything that happens, as it happens: a lost connection is taken up again where it broke. */
import { ApiFailure } from './api-failure.ts';
import { textOf } from './json-lines.ts';
import { type ClientOptions, send } from './send.ts';

/** `locked`: the server takes the token or the approval key no more, and is not asked again. */
export type EventsState = 'live' | 'lost' | 'locked';

export interface EventsOptions {
  /** Ends it. */
  readonly signal?: AbortSignal;
  /** Hears how the connection is; without it, a server that refuses is thrown. */
  readonly onState?: (state: EventsState) => void;
}

const RETRY_MS = 1_000;

/** The events, until the signal fires or the loop is left. Where some can not be had any more, one of type `missed` says so. */
export async function* followEvents(
  client: ClientOptions,
  path: string,
  { signal, onState }: EventsOptions,
): AsyncGenerator {
  let lastId: string | undefined;
  for (;;) {
    if (signal?.aborted === true) return;
    try {
      const headers: Record<string, string> = lastId === undefined ? {} : { 'last-event-id': lastId };
      const response = await send(client, 'get', path, {}, signal, headers);
      onState?.('live');
      for await (const { id, data } of eventsIn(textOf(response))) {
        lastId = id ?? lastId;
        if (data !== undefined) yield JSON.parse(data);
      }
    } catch (error) {
      if (isRefused(error) && onState === undefined) throw error;
      onState?.(isRefused(error) ? 'locked' : 'lost');
      if (isRefused(error)) return;
    }
    await pause(signal);
  }
}

function isRefused(error: unknown): boolean {
  return error instanceof ApiFailure && (error.status === 401 || error.status === 403);
}

interface SentEvent {
  readonly id: string | undefined;
  readonly data: string | undefined;
}

/** The parts of a stream of server-sent events; comments are passed over. */
async function* eventsIn(chunks: AsyncIterable<string>): AsyncGenerator<SentEvent> {
  let waiting = '';
  for await (const chunk of chunks) {
    const blocks = (waiting + chunk).split('\n\n');
    waiting = blocks.pop()!;
    for (const block of blocks) yield { id: field(block, 'id'), data: field(block, 'data') };
  }
}

function field(block: string, name: string): string | undefined {
  const start = `${name}: `;
  return block
    .split('\n')
    .find((line) => line.startsWith(start))
    ?.slice(start.length);
}

function pause(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, RETRY_MS);
    signal?.addEventListener('abort', end);
  });
}
