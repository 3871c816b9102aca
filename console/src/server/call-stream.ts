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

  #take(event: FeedEvent): void {
    if (!('callId' in event)) return;
    const known = this.#calls.get(event.callId) ?? NOTHING;
    if (event.type === 'call-started') this.#keep(event.callId, { ...known, args: event.args });
    if (event.type === 'call-ended') this.#keep(event.callId, { ...known, result: event.result });
    if (event.type === 'output-added') this.#keep(event.callId, added(known, event.text ?? ''));
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
