/**
 * What a session lately sent, so that a client whose connection broke gets what it missed. Bounded: what is too old
 * is gone, and its client has to send its request again.
 */
import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server';

interface KeptEvent {
  readonly stream: string;
  readonly number: number;
  readonly json: string;
}

const MAX_CHARACTERS = 4 * 1024 * 1024;

export class KeptEvents implements EventStore {
  #events: KeptEvent[] = [];
  #characters = 0;
  #last = 0;

  async storeEvent(stream: string, message: JSONRPCMessage): Promise<string> {
    const event = { stream, number: ++this.#last, json: JSON.stringify(message) };
    this.#events.push(event);
    this.#characters += event.json.length;
    while (this.#characters > MAX_CHARACTERS) this.#characters -= this.#events.shift()!.json.length;
    return idOf(event);
  }

  async getStreamIdForEventId(id: string): Promise<string | undefined> {
    return parseId(id)?.stream;
  }

  async replayEventsAfter(
    id: string,
    { send }: { readonly send: (id: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const last = parseId(id);
    if (last === undefined) throw new Error('That is no id of an event.');
    for (const event of this.#events) {
      if (event.stream !== last.stream || event.number <= last.number) continue;
      const message = JSON.parse(event.json) as JSONRPCMessage;
      // An empty one only told its id.
      if ('jsonrpc' in message) await send(idOf(event), message);
    }
    return last.stream;
  }
}

function idOf({ stream, number }: KeptEvent): string {
  return `${number}.${stream}`;
}

function parseId(id: string): { readonly stream: string; readonly number: number } | undefined {
  const [, number, stream] = /^(\d+)\.(.+)$/.exec(id) ?? [];
  return number === undefined || stream === undefined ? undefined : { number: Number(number), stream };
}
