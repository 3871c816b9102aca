/// <reference lib="dom" />
/** The way to the server and back: follows what happens, and sends what the person decides. */
import type { Sections } from '../live.ts';
import { serverEvents } from './server-events.ts';

export type ConnectionState = 'live' | 'lost' | 'locked';

export interface Listener {
  onState(state: ConnectionState): void;
  onSection<Name extends keyof Sections>(name: Name, section: Sections[Name]): void;
}

const KEY = 'handrail-approval';
const RETRY_MS = 1_000;

/** Takes the approval key out of the address bar, and remembers it for as long as this tab lives. */
export function takeApprovalKey(): string | undefined {
  const given = new URLSearchParams(location.hash.slice(1)).get('approve');
  if (given !== null) {
    sessionStorage.setItem(KEY, given);
    history.replaceState(undefined, '', location.pathname);
  }
  return sessionStorage.getItem(KEY) ?? undefined;
}

export class Connection {
  #key: string | undefined;
  #lastId = '';

  constructor(key: string | undefined) {
    this.#key = key;
  }

  get mayAnswer(): boolean {
    return this.#key !== undefined;
  }

  /** Follows what happens, for as long as the page is there. */
  async follow(listener: Listener): Promise<void> {
    for (;;) {
      const state = await this.#listen(listener).catch((): ConnectionState => 'lost');
      listener.onState(state);
      if (state === 'locked') return;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }

  /** Reads from the server; what went wrong is thrown as a sentence. */
  async read<Answer>(path: string): Promise<Answer> {
    return this.#ask<Answer>(path, {});
  }

  /** Sends what the person decided. */
  async send<Answer>(path: string, body: unknown): Promise<Answer> {
    const headers = { 'content-type': 'application/json' };
    return this.#ask<Answer>(path, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  async #listen(listener: Listener): Promise<ConnectionState> {
    const response = await this.#fetch('/events', {
      headers: this.#lastId === '' ? {} : { 'last-event-id': this.#lastId },
    });
    if (response.status === 403 && this.#key !== undefined) {
      // Not the key of this server; without one there is still much to see.
      this.#key = undefined;
      sessionStorage.removeItem(KEY);
      return 'lost';
    }
    if (response.status === 401) return 'locked';
    if (!response.ok || response.body === null) return 'lost';
    listener.onState('live');
    for await (const { name, id, data } of serverEvents(chunksOf(response.body))) {
      listener.onSection(name as keyof Sections, JSON.parse(data) as Sections[keyof Sections]);
      this.#lastId = id;
    }
    return 'lost';
  }

  async #ask<Answer>(path: string, request: RequestInit): Promise<Answer> {
    const response = await this.#fetch(path, request).catch(() => {
      throw new Error('The server does not answer.');
    });
    if (response.ok) return (await response.json()) as Answer;
    const text = await response.text();
    throw new Error(response.headers.get('content-type')?.includes('json') ? messageOf(text) : text);
  }

  #fetch(path: string, request: RequestInit): Promise<Response> {
    const headers = new Headers(request.headers);
    if (this.#key !== undefined) headers.set(KEY, this.#key);
    return fetch(path, { ...request, headers });
  }
}

function messageOf(text: string): string {
  return (JSON.parse(text) as { message: string }).message;
}

async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield decoder.decode(value, { stream: true });
  }
}
