/** The HTTP server: the gate in front of every route, then the routes. */
import type { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import type { Runtime } from '../../runtime-types.ts';
import { Failure } from '../../failure.ts';
import type { AuditReader } from '../../journal/audit-reader.ts';
import { gate } from './gate.ts';
import { statusPage, STYLE } from './status-page.ts';

export interface ServerOptions {
  readonly runtime: Runtime;
  readonly audit: AuditReader;
  readonly version: string;
  readonly token: string;
  readonly host: string;
  /** Undefined: the usual port, or a free one where that is taken. */
  readonly port: number | undefined;
}

export interface RunningServer extends AsyncDisposable {
  readonly port: number;
  /** The address with the token in it. */
  readonly url: string;
}

const USUAL_PORT = 4870;
const SHOWN_CALLS = 20;

/** Starts the server. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  let port = 0;
  const app = routes(options, () => authorities(options.host, port));
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  port = await listen(server, options.host, options.port);
  return {
    port,
    url: `http://${bracketed(options.host)}:${port}/?token=${options.token}`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function routes({ runtime, audit, version, token }: ServerOptions, known: () => readonly string[]): Hono {
  const app = new Hono();
  app.use(
    secureHeaders({
      contentSecurityPolicy: {
        defaultSrc: ["'none'"],
        styleSrc: ["'self'"],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
      },
      referrerPolicy: 'no-referrer',
      xFrameOptions: 'DENY',
    }),
  );
  app.use(gate({ token, authorities: known }));
  app.get('/', async (context) => {
    const status = {
      version,
      workspace: runtime.workspace.root,
      containment: runtime.containment,
      dialects: runtime.dialects
        .filter(({ name }) => !name.includes('@'))
        .map(({ name, tools }) => ({ name, tools: tools.size })),
      calls: await audit.list({ workspace: runtime.workspace.root, limit: SHOWN_CALLS }),
    };
    return context.html(statusPage(status) as string);
  });
  app.get('/style.css', (context) => context.body(STYLE, 200, { 'content-type': 'text/css' }));
  app.onError((_error, context) => context.text('Handrail could not answer this.\n', 500));
  return app;
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
