/**
 * MCP over HTTP, both eras on one address. From 2026-07-28 on a request stands for itself; clients before that begin a
 * session first, in which they can be asked. Who may come here at all is the gate's to say.
 */
import {
  createMcpHandler,
  isInitializeRequest,
  isJsonContentType,
  isLegacyRequest,
  type McpHttpHandler,
  readRequestBody,
  type Server,
} from '@modelcontextprotocol/server';
import type { Clock } from '../../host/ports.ts';
import { PROJECT_HEADER } from '../project-header.ts';
import { readTrace } from '../trace-headers.ts';
import { PROJECT_KEY } from './call-meta.ts';
import { Connection, type RuntimeOf } from './connection.ts';
import { HttpSession } from './http-session.ts';
import { isRecord } from './rpc-peer.ts';
import { MAX_MESSAGE_BYTES } from './tool-requests.ts';

export interface McpEndpointOptions {
  readonly runtime: RuntimeOf;
  readonly clock: Clock;
  readonly server: (connection: Connection, era: 'legacy' | 'modern') => Server;
}

const MAX_SESSIONS = 64;
const MAX_IDLE_MS = 60 * 60 * 1_000;
/** Streams included. The listener takes more: there is room left for the person's page. */
const MAX_OPEN_REQUESTS = 128;

export class McpEndpoint implements AsyncDisposable {
  readonly #options: McpEndpointOptions;
  readonly #sessions = new Map<string, HttpSession>();
  /** Of all clients that come without a session. */
  readonly #stateless: Connection;
  readonly #modern: McpHttpHandler;
  #open = 0;

  constructor(options: McpEndpointOptions) {
    this.#options = options;
    this.#stateless = new Connection(options.runtime);
    this.#modern = createMcpHandler(() => options.server(this.#stateless, 'modern'), { legacy: 'reject' });
  }

  /** How many clients have begun a session. */
  get openSessions(): number {
    return this.#sessions.size;
  }

  /** Answers a request. */
  async fetch(request: Request): Promise<Response> {
    if (this.#open >= MAX_OPEN_REQUESTS) return refuse(429, 'Too many requests are open.');
    const session = this.#sessions.get(request.headers.get('mcp-session-id') ?? '');
    const leave = session?.use();
    this.#open++;
    const end = (): void => {
      this.#open--;
      leave?.();
    };
    try {
      return whenOver(await this.#answer(request, session), end);
    } catch (error) {
      end();
      throw error;
    }
  }

  async #answer(request: Request, session: HttpSession | undefined): Promise<Response> {
    const read = request.method === 'POST' ? await readJson(request) : undefined;
    if (read instanceof Response) return read;
    const body = withHeaders(read, request.headers);
    if (!(await isLegacyRequest(request, body))) return this.#modern.fetch(request, { parsedBody: body });
    if (session !== undefined) return session.answer(request, body);
    if (request.headers.has('mcp-session-id'))
      return refuse(404, 'Session not found; begin another one.', -32_001);
    if (!isInitializeRequest(body)) return refuse(400, 'Mcp-Session-Id header is required.');
    return this.#begin(request, body);
  }

  /** Answers the request that begins a session; one that fails to leaves nothing behind. */
  async #begin(request: Request, body: unknown): Promise<Response> {
    if (!(await this.#makeRoom())) return refuse(503, 'Too many sessions are in use.');
    const { server, ...options } = this.#options;
    const session = new HttpSession({
      ...options,
      server: (connection) => server(connection, 'legacy'),
      onBegin: ({ id }) => this.#sessions.set(id, session),
      onEnd: ({ id }) => this.#end(id),
    });
    const response = await session.answer(request, body);
    if (!this.#sessions.has(session.id)) await session[Symbol.asyncDispose]();
    return response;
  }

  /** Ends what is idle for too long, and where that is not enough, what is idle for longest. */
  async #makeRoom(): Promise<boolean> {
    const idle = [...this.#sessions.values()]
      .flatMap(({ id, idleSince }) => (idleSince === undefined ? [] : [{ id, idleSince }]))
      .toSorted((one, other) => one.idleSince - other.idleSince);
    const now = this.#options.clock.monotonic();
    for (const { id, idleSince } of idle) {
      if (this.#sessions.size < MAX_SESSIONS && now - idleSince <= MAX_IDLE_MS) break;
      await this.#end(id);
    }
    return this.#sessions.size < MAX_SESSIONS;
  }

  async #end(id: string): Promise<void> {
    const session = this.#sessions.get(id);
    this.#sessions.delete(id);
    await session?.[Symbol.asyncDispose]();
  }

  /** Cancels every call, and ends every session and stream. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#sessions.keys()].map((id) => this.#end(id)));
    await this.#stateless[Symbol.asyncDispose]();
    await this.#modern.close();
  }
}

/** For clients that can send headers, and not what is in a message; where a message says it itself, that counts. */
function withHeaders(body: unknown, headers: Headers): unknown {
  const project = headers.get(PROJECT_HEADER);
  const trace = readTrace(headers);
  if ((project === null && trace === undefined) || !isRecord(body)) return body;
  if (typeof body['method'] !== 'string' || !body['method'].startsWith('tools/')) return body;
  const params = isRecord(body['params']) ? body['params'] : {};
  const meta = isRecord(params['_meta']) ? params['_meta'] : {};
  const said = {
    ...(project === null ? {} : { [PROJECT_KEY]: project }),
    ...(meta['traceparent'] === undefined ? trace : {}),
  };
  return { ...body, params: { ...params, _meta: { ...said, ...meta } } };
}

/** The body of a request, or the answer to one that has none that can be read. */
async function readJson(request: Request): Promise<unknown> {
  if (!isJsonContentType(request.headers.get('content-type'))) return refuse(415, 'Send JSON.');
  const body = await readRequestBody(request, MAX_MESSAGE_BYTES);
  if (body.tooLarge) return refuse(413, `A message has at most ${MAX_MESSAGE_BYTES} bytes.`);
  try {
    return JSON.parse(body.text);
  } catch {
    return refuse(400, 'This is not JSON.', -32_700);
  }
}

function refuse(status: number, message: string, code = -32_000): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status });
}

/** The same response; says when all of it was sent, or nobody takes it any more. */
function whenOver(response: Response, end: () => void): Response {
  if (response.body === null) {
    end();
    return response;
  }
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (!done) return controller.enqueue(value);
      end();
      controller.close();
    },
    async cancel(reason) {
      end();
      await reader.cancel(reason);
    },
  });
  return new Response(body, response);
}
