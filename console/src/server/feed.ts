/**
 * What happens, as the server tells it: one stream for the whole page, which is also how the server knows that somebody
 * is there to answer.
 */
import type { Client } from '../../../src/client/index.ts';
import type { ServerEvent } from '../../../src/transports/http/api/server-event.ts';

export type FeedEvent = ServerEvent;

/** `locked`: the server was started anew, and this page has no token for it. */
export type FeedState = 'connecting' | 'live' | 'lost' | 'locked';

type Listener = (event: FeedEvent) => void;

export class Feed {
  readonly #client: Client;
  readonly #listeners = new Set<Listener>();
  readonly #stateListeners = new Set<() => void>();
  #state: FeedState = 'connecting';

  constructor(client: Client) {
    this.#client = client;
  }

  get state(): FeedState {
    return this.#state;
  }

  /** Follows the stream until the returned function is called. */
  readonly follow = (): (() => void) => {
    const ended = new AbortController();
    void this.#read(ended.signal);
    return () => ended.abort();
  };

  /** Tells of every event until the returned function is called. */
  readonly subscribe = (listener: Listener): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Tells when the state is another. */
  readonly onState = (listener: () => void): (() => void) => {
    this.#stateListeners.add(listener);
    return () => this.#stateListeners.delete(listener);
  };

  async #read(signal: AbortSignal): Promise<void> {
    const onState = (state: FeedState): void => {
      if (!signal.aborted) this.#become(state);
    };
    for await (const event of this.#client.events({ signal, onState })) this.#tell(event);
  }

  #become(state: FeedState): void {
    if (state === this.#state) return;
    this.#state = state;
    for (const listener of this.#stateListeners) listener();
    // What was loaded before is from before the stream began.
    if (state === 'live') this.#tell({ type: 'missed' });
  }

  #tell(event: FeedEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}
