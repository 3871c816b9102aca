/**
 * A WebSocket that is opened again whenever it is lost. Only where the server says that it does not want the client is
 * it given up, and that is asked by a plain request: a WebSocket does not say why it was refused.
 */
import type { ApiFailure } from './api-failure.ts';
import { type ClientOptions, failureIn, requestHeaders, serverAddress } from './send.ts';

export interface ConnectionOptions extends ClientOptions {
  /** How often the server is asked for a sign of life. */
  readonly beatMs?: number;
}

export interface ConnectionEvents {
  /** Where to connect to, as it is by now. */
  readonly path: () => string;
  readonly opened: () => void;
  readonly heard: (text: string) => void;
  /** Time for a sign of life: something that the server answers. */
  readonly beat: () => void;
  readonly lost: () => void;
  readonly refused: (failure: ApiFailure) => void;
}

const BEAT_MS = 15_000;
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;
/** Not refusals: the first says that only the upgrade is missing, the others pass. */
const PASSING = new Set([426, 429, 500, 503]);

export class SteadyConnection {
  readonly #options: ConnectionOptions;
  readonly #events: ConnectionEvents;
  #socket: WebSocket | undefined;
  #waitMs = FIRST_WAIT_MS;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isSilent = false;
  #isClosed = false;

  constructor(options: ConnectionOptions, events: ConnectionEvents) {
    this.#options = options;
    this.#events = events;
    this.#open();
  }

  /** Sends it where there is a connection; else the next one will need it. */
  send(message: object): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  /** For good. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
  }

  #open(): void {
    const socket = connect(this.#options, this.#events.path());
    this.#socket = socket;
    let wasOpen = false;
    socket.addEventListener('open', () => {
      wasOpen = true;
      this.#waitMs = FIRST_WAIT_MS;
      this.#isSilent = false;
      this.#beatLater(socket);
      this.#events.opened();
    });
    socket.addEventListener('message', ({ data }: MessageEvent<string>) => {
      this.#isSilent = false;
      if (this.#socket === socket) this.#events.heard(data);
    });
    // An error is followed by this.
    socket.addEventListener('close', () => void this.#end(socket, wasOpen));
  }

  async #end(socket: WebSocket, wasOpen: boolean): Promise<void> {
    if (this.#socket !== socket) return;
    this.#socket = undefined;
    clearTimeout(this.#timer);
    if (wasOpen) this.#events.lost();
    const failure = wasOpen ? undefined : await whyNot(this.#options, this.#events.path());
    if (this.#isClosed) return;
    if (failure !== undefined) {
      this.#isClosed = true;
      return this.#events.refused(failure);
    }
    // Not all at the same time, where many have lost the same server.
    this.#timer = setTimeout(() => this.#open(), this.#waitMs * (0.5 + Math.random() / 2));
    this.#waitMs = Math.min(this.#waitMs * 2, LONGEST_WAIT_MS);
  }

  /** A connection can be dead without saying so: whoever does not answer a beat until the next one is gone. */
  #beatLater(socket: WebSocket): void {
    this.#timer = setTimeout(() => {
      if (this.#isSilent) return this.#giveUp(socket);
      this.#isSilent = true;
      this.#events.beat();
      return this.#beatLater(socket);
    }, this.#options.beatMs ?? BEAT_MS);
  }

  /** Who is gone does not say goodbye: nobody waits for that. */
  #giveUp(socket: WebSocket): void {
    socket.close();
    void this.#end(socket, true);
  }
}

/** In browsers the token is a cookie, and nothing else can be sent but protocols; Node sends headers. */
function connect(options: ClientOptions, path: string): WebSocket {
  const { token, approvalKey } = options;
  const url = new URL(
    serverAddress(options, path),
    (globalThis as { location?: { href: string } }).location?.href,
  );
  url.protocol = url.protocol.replace('http', 'ws');
  const protocols = ['handrail', ...(approvalKey === undefined ? [] : [`handrail.approval.${approvalKey}`])];
  if (token === undefined) return new WebSocket(url, protocols);
  const headers = { authorization: `Bearer ${token}` };
  return new WebSocket(url, { protocols, headers } as never);
}

async function whyNot(options: ClientOptions, path: string): Promise<ApiFailure | undefined> {
  try {
    const response = await fetch(serverAddress(options, path), { headers: requestHeaders(options) });
    return PASSING.has(response.status) ? undefined : await failureIn(response);
  } catch {
    // Nobody is there; somebody may come.
    return undefined;
  }
}
