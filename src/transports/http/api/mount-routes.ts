/** Puts the routes of the API behind their gates: what comes in is checked by their schemas, what goes wrong has one shape. */
import type { Context, Hono, MiddlewareHandler } from 'hono';
import type * as z from 'zod';
import { Failure, toFailure } from '../../../failure.ts';
import { explainIssue } from '../../../runtime/explain-issue.ts';
import type { Runtime } from '../../../runtime-types.ts';
import { PROJECT_HEADER } from '../../project-header.ts';
import { refuse } from './refusals.ts';
import type { Route, RouteContext } from './route.ts';
import type { Who } from './route-shape.ts';

export interface MountParts extends Omit<RouteContext, 'own' | 'isPerson' | 'signal' | 'http'> {
  /** In front of the routes of each kind. */
  readonly gates: Readonly<Record<Who, MiddlewareHandler>>;
  /** In front of those that take a body, of so many bytes at most. */
  readonly bodies: (maxBytes: number | undefined) => MiddlewareHandler;
  readonly isPerson: (context: Context) => boolean;
}

/** Mounts them. */
export function mountRoutes(app: Hono, routes: readonly Route[], parts: MountParts): void {
  for (const route of routes) {
    const path = route.path.replaceAll(/\{(\w+)\}/g, ':$1');
    const hasBody = route.method === 'post' || route.method === 'put';
    const guards = [parts.gates[route.who], ...(hasBody ? [parts.bodies(route.bodyBytes)] : [])];
    app.on([route.method.toUpperCase()], [path], ...guards, (context) => answer(context, route, parts));
  }
}

async function answer(
  context: Context,
  route: Route,
  { gates: _gates, bodies: _bodies, isPerson, ...parts }: MountParts,
): Promise<Response> {
  const { signal } = context.req.raw;
  // Nobody would read a stream to its end, or leave it.
  if (context.req.method === 'HEAD' && route.type !== undefined)
    return context.body(null, 200, { 'content-type': route.type });
  try {
    const input = await readInput(context, route);
    const runtime = await runtimeOf(context, parts.runtime);
    let isStream = false;
    try {
      const given = await route.run(
        {
          ...parts,
          runtime,
          own: parts.runtime,
          isPerson: isPerson(context),
          signal,
          http: context,
        } satisfies RouteContext as never,
        input as never,
      );
      isStream = given instanceof Response && route.type === 'text/event-stream';
      return given instanceof Response ? given : context.json(given as object);
    } finally {
      // A stream uses it until the client has gone.
      if (isStream) signal.addEventListener('abort', () => void runtime[Symbol.asyncDispose]());
      else await runtime[Symbol.asyncDispose]();
    }
  } catch (error) {
    return refuse(context, toFailure(error, signal));
  }
}

/** The runtime that a request means; disposing it gives it back, and ends nothing. */
async function runtimeOf(context: Context, own: Runtime): Promise<Runtime> {
  const project = context.req.header(PROJECT_HEADER);
  if (project !== undefined) return own.project(project);
  return Object.create(own, { [Symbol.asyncDispose]: { value: async () => undefined } }) as Runtime;
}

async function readInput(
  context: Context,
  { params, query, body }: Route,
): Promise<{ params: unknown; query: unknown; body: unknown }> {
  return {
    params: check('the path', params, context.req.param()),
    query: check('the query', query, context.req.query()),
    body: body === undefined ? undefined : check('the body', body, await readJson(context)),
  };
}

async function readJson(context: Context): Promise<unknown> {
  try {
    return await context.req.json();
  } catch (error) {
    throw new Failure('E_INVALID_ARGS', 'The body is not JSON.', { cause: error });
  }
}

function check(what: string, schema: z.ZodType | undefined, given: unknown): unknown {
  if (schema === undefined) return undefined;
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map((issue) => explainIssue(issue, given, what));
  throw new Failure('E_INVALID_ARGS', `${issues.join('; ')}.`, { hint: `See ${what} in /api/openapi.json.` });
}
