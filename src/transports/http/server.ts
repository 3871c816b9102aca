/** The HTTP server: a listener, and the routes behind their gate. */
import type { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import type { Agents } from '../../agent/conversation.ts';
import type { Clock } from '../../host/ports.ts';
import type { Runtime } from '../../runtime-types.ts';
import { Failure } from '../../failure.ts';
import { Conversations } from '../conversations.ts';
import type { Leave } from '../open-work.ts';
import { McpEndpoint } from '../mcp/http-endpoint.ts';
import { mcpServer } from '../mcp/mcp-server.ts';
import { WebSocketEndpoint } from '../websocket/endpoint.ts';
import type { Limits } from '../websocket/limits.ts';
import { EventFeed } from './event-feed.ts';
import type { Credentials } from './gate.ts';
import { serverMetrics } from './metrics/metrics.ts';
import { presence } from './presence.ts';
import type { Records } from './records.ts';
import { routes } from './routes.ts';
import { ServedSessions } from './served-sessions.ts';
import { watchSections } from './watch-sections.ts';
import { openWorkspace } from './workspaces.ts';

export interface ServerOptions {
  readonly runtime: Runtime;
  readonly records: Records;
  /** The agents of a runtime, the same ones each time. */
  readonly agentsOf: (runtime: Runtime) => Promise<Agents>;
  readonly clock: Clock;
  readonly version: string;
  readonly credentials: Credentials;
  readonly host: string;
  /** Undefined: the usual port, or a free one where that is taken. */
  readonly port: number | undefined;
  /** For requests that come slowly, where they are not the usual ones. */
  readonly requestTimeouts?: Partial<RequestTimeouts>;
  /** Of the WebSocket, where they are not the usual ones. */
  readonly socketLimits?: Partial<Limits>;
}

export interface RunningServer extends AsyncDisposable {
  readonly port: number;
  /** The person's address. What is behind the `#` stays in the browser: it is in no request line, and in no log. */
  readonly url: string;
  /** Where agents find MCP; they send the token with every request. */
  readonly mcpUrl: string;
}

/** How long a client may take to send, in milliseconds, on purpose or not; answers may take their time. */
interface RequestTimeouts {
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  readonly connectionsCheckingInterval: number;
}

const USUAL_PORT = 4870;
const REQUEST_TIMEOUTS: RequestTimeouts = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1_000,
};
/** A thousand sessions over WebSocket, and room for pages and requests. */
const MAX_CONNECTIONS = 2_304;

/** Starts the server. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { host, records, runtime, clock, version, credentials } = options;
  let port = 0;
  const pages = presence(() => records.beApprover());
  const watch = presence(
    watchSections({
      read: () => records.sections(),
      tell: (sections) => feed.publish({ type: 'changed', sections }),
    }),
  );
  const feed = new EventFeed(watch);
  /** Others see it as open for as long as anybody has it here. */
  const leave: Leave = async (session) => {
    const isOpen = [sessions, sockets, conversations].some((open) => open.has(session));
    // That they still do is not worth a failure.
    if (!isOpen) await records.sessions.close(session).catch(() => undefined);
  };
  const sessions = new ServedSessions({ leave, chosen: (session) => records.sessions.chosen(session) });
  const conversations = new Conversations({
    agentsOf: options.agentsOf,
    hold: (workspace) => openWorkspace(runtime, workspace),
    leave,
    publish: (event) => feed.publish(event),
  });
  const mcp = new McpEndpoint({
    runtime: async () => runtime,
    clock,
    server: (connection, era) => mcpServer(connection, { era, version }),
  });
  const sockets = new WebSocketEndpoint({
    ...options,
    feed,
    conversations,
    presence: pages,
    leave,
    limits: options.socketLimits,
    count: (direction) => metrics.message(direction),
  });
  const metrics = serverMetrics({
    openApprovals: async () => (await records.approvals.pending()).length,
    backgroundProcesses: async () =>
      (await records.processes.list()).filter(({ ended }) => ended === undefined).length,
    openSessions: () => ({
      api: sessions.openSessions,
      mcp: mcp.openSessions,
      websocket: sockets.openSessions,
    }),
    eventReaders: () => feed.followers,
    webSocketConnections: () => sockets.openConnections,
    webSocketKept: () => sockets.kept,
  });
  const stopObserving = runtime.observe((event, workspace) => {
    feed.publish({ ...event, workspace });
    metrics.hear(event);
  });
  const app = routes({
    ...options,
    presence: pages,
    feed,
    sessions,
    conversations,
    mcp,
    metrics,
    sockets,
    authorities: () => authorities(host, port),
  });
  const serverOptions = { ...REQUEST_TIMEOUTS, ...options.requestTimeouts };
  const server = createAdaptorServer({ fetch: app.fetch, serverOptions }) as Server;
  server.maxConnections = MAX_CONNECTIONS;
  server.on('upgrade', (request, socket, head) => void sockets.upgrade(request, socket, head, app.fetch));
  port = await listen(server, host, options.port);
  return {
    port,
    mcpUrl: `http://${bracketed(host)}:${port}/mcp`,
    url: `http://${bracketed(host)}:${port}/?token=${credentials.token}#approve=${credentials.approvalKey}`,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      await conversations[Symbol.asyncDispose]();
      await mcp[Symbol.asyncDispose]();
      await sockets[Symbol.asyncDispose]();
      await sessions[Symbol.asyncDispose]();
      server.closeAllConnections();
      await closed;
      stopObserving();
      await watch[Symbol.asyncDispose]();
      await pages[Symbol.asyncDispose]();
      metrics[Symbol.dispose]();
    },
  };
}

/** How clients may write the address of this server. */
function authorities(host: string, port: number): readonly string[] {
  const names = new Set(['127.0.0.1', 'localhost', '[::1]', bracketed(host)]);
  return [...names].map((name) => `${name}:${port}`);
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

async function listen(server: Server, host: string, wanted: number | undefined): Promise<number> {
  try {
    return await tryPort(server, host, wanted ?? USUAL_PORT);
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    if (isTaken && wanted === undefined) return tryPort(server, host, 0);
    const why = isTaken ? 'something else listens there' : String(error);
    throw new Failure(
      'E_IO',
      `The server can not listen on ${bracketed(host)}:${wanted ?? USUAL_PORT}: ${why}.`,
      {
        hint: 'Choose another port with --port.',
        cause: error,
      },
    );
  }
}

function tryPort(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.removeListener('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}
