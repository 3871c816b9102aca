/** The routes, all behind the gate but for whether the server is well. Those that change something are POST, take JSON, and need the approval key. */
import { Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { every } from 'hono/combine';
import { matchedRoutes } from 'hono/route';
import { secureHeaders } from 'hono/secure-headers';
import type { Clock } from '../../host/ports.ts';
import type { Runtime } from '../../runtime-types.ts';
import type { Conversations } from '../conversations.ts';
import type { McpEndpoint } from '../mcp/http-endpoint.ts';
import type { WebSocketEndpoint } from '../websocket/endpoint.ts';
import { API_ROUTES } from './api/index.ts';
import { mountRoutes } from './api/mount-routes.ts';
import { openApi } from './api/openapi.ts';
import { refusalsAsJson } from './api/refusals.ts';
import { serveConsole } from './console.ts';
import type { Feed } from './event-feed.ts';
import { type Credentials, gate } from './gate.ts';
import { health } from './health.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { Presence } from './presence.ts';
import type { Records } from './records.ts';
import type { ServedSessions } from './served-sessions.ts';

export interface RouteParts {
  readonly runtime: Runtime;
  readonly records: Records;
  readonly presence: Presence;
  readonly feed: Feed;
  readonly sessions: ServedSessions;
  readonly conversations: Conversations;
  readonly mcp: Pick<McpEndpoint, 'fetch'>;
  readonly metrics: Pick<Metrics, 'answered' | 'scrape'>;
  readonly sockets: Pick<WebSocketEndpoint, 'admit'>;
  readonly clock: Clock;
  readonly version: string;
  readonly credentials: Credentials;
  /** `host:port` as clients may write it. */
  readonly authorities: () => readonly string[];
}

/** Other arguments may hold a whole file. */
const MAX_BODY_BYTES = 512 * 1024;

/** The application. */
export function routes(parts: RouteParts): Hono {
  const { version, mcp, metrics, sockets } = parts;
  const { anyone, everyone, agent, caller, socket, person, hasApprovalKey } = gate(parts);
  const app = new Hono();
  app.use(counted(metrics), headers);
  app.get('/healthz', anyone, (context) => health(context, parts));
  app.use('/api/*', refusalsAsJson);
  app.use(everyone);
  serveConsole(app);
  app.get('/metrics', async (context) => {
    const { type, text } = await metrics.scrape();
    return context.body(text, 200, { 'content-type': type });
  });
  const document = openApi(API_ROUTES, version);
  app.get('/api/openapi.json', (context) => context.json(document));
  mountRoutes(app, API_ROUTES, {
    ...parts,
    gates: { reader: passed, agent: caller, person },
    bodies: (maxBytes) => every(jsonOnly, bodyOf(maxBytes)),
    isPerson: (context) => hasApprovalKey(context) === true,
  });
  app.on(['GET', 'POST', 'DELETE'], '/mcp', agent, (context) => mcp.fetch(context.req.raw));
  app.get('/ws/:session', socket, (context) => sockets.admit(context, hasApprovalKey(context) === true));
  app.notFound((context) => context.text('There is nothing here.\n', 404));
  app.onError((_error, context) => context.text('Handrail could not answer this.\n', 500));
  return app;
}

/** Nothing but our own files, no script or style within a page, and no text ever becomes markup. */
const protections = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'"],
    connectSrc: ["'self'"],
    frameAncestors: ["'none'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    requireTrustedTypesFor: ["'script'"],
    trustedTypes: ["'none'"],
  },
  referrerPolicy: 'no-referrer',
  xFrameOptions: 'DENY',
});

const headers: MiddlewareHandler = async (context, next) => {
  context.header('cache-control', 'no-store');
  return protections(context, next);
};

/** Every answer counts, refusals too; by the pattern of its route, since anybody can make up paths. */
function counted(metrics: RouteParts['metrics']): MiddlewareHandler {
  return async (context, next) => {
    await next();
    const route = matchedRoutes(context).findLast(({ path }) => path !== EVERY_PATH)?.path;
    metrics.answered({ method: context.req.method, route, status: context.res.status });
  };
}

const EVERY_PATH = '/*';

/** The gate in front of everything was enough. */
const passed: MiddlewareHandler = (_context, next) => next();

/** Other pages can send forms and plain text without asking first; JSON they can't. */
const jsonOnly: MiddlewareHandler = async (context, next) => {
  const type = context.req.header('content-type') ?? '';
  if (/^application\/json\s*(;|$)/i.test(type)) return next();
  return context.text('Send JSON.\n', 415);
};

/** A body that is larger is not read to its end. */
function bodyOf(maxSize: number = MAX_BODY_BYTES): MiddlewareHandler {
  return bodyLimit({
    maxSize,
    onError: (context) => context.text(`A body here has at most ${maxSize} bytes.\n`, 413),
  });
}
