/** What calls were given, print and answer, as it happens: the audit keeps what they did, not what they said. */
import type { Feed, FeedEvent } from './feed.ts';

export interface StreamedCall {
  readonly args?: unknown;
  /** What it printed so far. */
  readonly output: string;
  /** Whether its beginning was too much to keep. */
  readonly isCut: boolean;
  /** What it answered. */
  readonly result?: unknown;
}

const MAX_CALLS = 500;
const MAX_OUTPUT = 256 * 1024;
const NOTHING: StreamedCall = { output: '', isCut: false };

export class CallStream {
  readonly #calls = new Map<string, StreamedCall>();
  readonly #listeners = new Set<() => void>();

  constructor(feed: Feed) {
    feed.subscribe((event) => this.#take(event));
  }

  /** What is known of a call; undefined where it ended before this page was open. */
  readonly of = (callId: string): StreamedCall | undefined => this.#calls.get(callId);

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #take({ type, callId, args, text, result }: FeedEvent): void {
    if (typeof callId !== 'string') return;
    const known = this.#calls.get(callId) ?? NOTHING;
    if (type === 'call-started') this.#keep(callId, { ...known, args });
    if (type === 'call-ended') this.#keep(callId, { ...known, result });
    if (type === 'output-added' && typeof text === 'string') this.#keep(callId, added(known, text));
  }

  #keep(callId: string, call: StreamedCall): void {
    this.#calls.delete(callId);
    this.#calls.set(callId, call);
    if (this.#calls.size > MAX_CALLS) this.#calls.delete(this.#calls.keys().next().value!);
    for (const listener of this.#listeners) listener();
  }
}

function added(known: StreamedCall, text: string): StreamedCall {
  const output = known.output + text;
  if (output.length <= MAX_OUTPUT) return { ...known, output };
  return { ...known, output: output.slice(-MAX_OUTPUT), isCut: true };
}
