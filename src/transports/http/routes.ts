/** The routes, all behind the gate but for whether the server is well. Those that change something are POST, take JSON, and need the approval key. */
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { every } from 'hono/combine';
import { matchedRoutes } from 'hono/route';
import { NONCE, secureHeaders } from 'hono/secure-headers';
import { streamSSE } from 'hono/streaming';
import type { Clock } from '../../host/ports.ts';
import type { Runtime } from '../../runtime-types.ts';
import type { Conversations } from '../conversations.ts';
import type { McpEndpoint } from '../mcp/http-endpoint.ts';
import type { WebSocketEndpoint } from '../websocket/endpoint.ts';
import { answerQuestion, givenAnswer } from './answers.ts';
import { API_ROUTES } from './api/index.ts';
import { mountRoutes } from './api/mount-routes.ts';
import { openApi } from './api/openapi.ts';
import { refusalsAsJson } from './api/refusals.ts';
import { showCall } from './calls.ts';
import { readConsole } from './console-files.ts';
import type { Feed } from './event-feed.ts';
import { type Credentials, gate } from './gate.ts';
import { health } from './health.ts';
import { sendLive } from './live.ts';
import type { Metrics } from './metrics/metrics.ts';
import { pageShell } from './page-shell.ts';
import type { Presence } from './presence.ts';
import type { Records } from './records.ts';
import type { ServedSessions } from './served-sessions.ts';
import { readScripts } from './scripts.ts';
import { STYLE } from './style.ts';
import { tellPage } from './tell-page.ts';
import { diffOf, entriesOf } from './turns.ts';

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
/** More than anybody has windows. */
const MAX_STREAMS = 32;

/** The application. */
export function routes(parts: RouteParts): Hono {
  const { runtime, records, version, mcp, metrics, sockets } = parts;
  const { anyone, everyone, agent, caller, socket, person, hasApprovalKey } = gate(parts);
  const scripts = readScripts();
  const app = new Hono();
  app.use(counted(metrics), headers);
  app.get('/healthz', anyone, (context) => health(context, parts));
  app.use('/api/*', refusalsAsJson);
  app.use(everyone);
  app.get('/', (context) =>
    context.html(
      pageShell({
        version,
        workspace: runtime.workspace.root,
        nonce: context.get('secureHeadersNonce') ?? '',
      }),
    ),
  );
  app.get('/style.css', (context) => context.body(STYLE, 200, { 'content-type': 'text/css; charset=utf-8' }));
  app.get('/page/:name', (context) => {
    const script = scripts.get(context.req.param('name'));
    if (script === undefined) return context.notFound();
    return context.body(script, 200, { 'content-type': 'text/javascript; charset=utf-8' });
  });
  for (const [path, { type, content }] of readConsole())
    app.get(path === '/index.html' ? '/console' : path, (context) =>
      context.body(content, 200, { 'content-type': type }),
    );
  app.get('/events', liveEvents(parts, hasApprovalKey));
  app.get('/calls/:id', (context) => showCall(context, parts));
  app.get('/turns/:id', (context) => tellPage(context, (id) => entriesOf(runtime, id)));
  // What stands in files is not for everybody who makes calls: the policy may keep it from them.
  app.get('/turns/:id/diff', person, (context) =>
    tellPage(context, (id) => diffOf(runtime, id, context.req.query('path') ?? '')),
  );
  app.get('/turns/:id/undo', (context) =>
    tellPage(context, (turn) => runtime.undo({ turn }, { dryRun: true, by: 'page' })),
  );
  const forPerson = every(person, jsonOnly, bodyOf());
  app.post('/questions/:id/answer', forPerson, (context) =>
    tellPage(context, async (id) => {
      const given = givenAnswer.safeParse(await context.req.json().catch(() => undefined)).data;
      return answerQuestion({ own: runtime, approvals: records.approvals, by: 'page' }, id, given);
    }),
  );
  app.post('/turns/:id/undo', forPerson, (context) =>
    tellPage(context, (turn) => runtime.undo({ turn }, { by: 'page' })),
  );
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

/** Nothing but our own script and style, by a word that is new with each page; and no text ever becomes markup. */
const protections = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    scriptSrc: [NONCE, "'self'"],
    styleSrc: [NONCE, "'self'"],
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

/** The stream of what the page shows; while one with the approval key is open, somebody is there to answer. */
function liveEvents(
  parts: RouteParts,
  hasApprovalKey: (context: Context) => boolean | undefined,
): (context: Context) => Response {
  let open = 0;
  return (context) => {
    const mayAnswer = hasApprovalKey(context);
    if (mayAnswer === false) return context.text('That is not the approval key of this server.\n', 403);
    if (open >= MAX_STREAMS) return context.text('Too many pages are open.\n', 429);
    open++;
    const leave = mayAnswer === true ? parts.presence.enter() : () => undefined;
    return streamSSE(
      context,
      async (stream) => {
        try {
          await sendLive(
            stream,
            { ...parts, isPerson: mayAnswer === true },
            context.req.header('last-event-id'),
          );
        } finally {
          open--;
          leave();
        }
      },
      // The page comes back by itself; what went wrong is nothing it could show.
      async () => undefined,
    );
  };
}
