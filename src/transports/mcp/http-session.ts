/** One client of the era with sessions, over HTTP: it is told an id when it begins, and names it in every request. */
import { randomUUID } from 'node:crypto';
import { type Server, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import type { Clock } from '../../host/ports.ts';
import { Connection, type RuntimeOf } from './connection.ts';
import { KeptEvents } from './kept-events.ts';

export interface HttpSessionOptions {
  readonly runtime: RuntimeOf;
  readonly clock: Clock;
  readonly server: (connection: Connection) => Server;
  /** Called when the client began, and when it said that it is done. */
  readonly onBegin: (session: HttpSession) => void;
  readonly onEnd: (session: HttpSession) => void;
}

/** How soon a client whose connection broke should come back. */
const RETRY_MS = 1_000;

export class HttpSession implements AsyncDisposable {
  readonly id: string = randomUUID();
  readonly #connection: Connection;
  readonly #server: Server;
  readonly #transport: WebStandardStreamableHTTPServerTransport;
  readonly #clock: Clock;
  #open = 0;
  #usedAt: number;

  constructor({ runtime, clock, server, onBegin, onEnd }: HttpSessionOptions) {
    this.#clock = clock;
    this.#usedAt = clock.monotonic();
    this.#connection = new Connection(runtime);
    this.#server = server(this.#connection);
    this.#transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => this.id,
      onsessioninitialized: () => onBegin(this),
      onsessionclosed: () => onEnd(this),
      eventStore: new KeptEvents(),
      retryInterval: RETRY_MS,
    });
  }

  /** Since when nothing is asked of it, and nothing sent to it; undefined while it is in use. */
  get idleSince(): number | undefined {
    return this.#open > 0 || this.#connection.isBusy ? undefined : this.#usedAt;
  }

  /** Answers a request; `body` is its JSON. */
  async answer(request: Request, body: unknown): Promise<Response> {
    if (this.#server.transport === undefined) await this.#server.connect(this.#transport);
    return this.#transport.handleRequest(request, { parsedBody: body });
  }

  /** Counts a request in that is open; the returned function counts it out. */
  use(): () => void {
    this.#open++;
    return () => {
      this.#open--;
      this.#usedAt = this.#clock.monotonic();
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection[Symbol.asyncDispose]();
    await this.#server.close();
  }
}
