/** A route of the API, written once: the server mounts it, the OpenAPI document and the client's types are made from it. */
import type { Context } from 'hono';
import type * as z from 'zod';
import type { Clock } from '../../../host/ports.ts';
import type { Runtime } from '../../../runtime-types.ts';
import type { Records } from '../records.ts';

/** What a route works with. */
export interface RouteContext {
  /** Of the project that the request names, else the server's own. */
  readonly runtime: Runtime;
  readonly records: Records;
  readonly clock: Clock;
  readonly version: string;
  /** Whether the request came with the approval key. */
  readonly isPerson: boolean;
  /** Aborts when the client has gone. */
  readonly signal: AbortSignal;
  readonly http: Context;
}

/**
 * Who may ask: `reader` has the token, and gets nothing that stands in files; `agent` sends the token itself, or is a
 * person; `person` has the approval key besides.
 */
export type Who = 'reader' | 'agent' | 'person';

type Fields = z.ZodObject;
type Maybe<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

export interface RouteDefinition<Params, Query, Body, Returns extends z.ZodType> {
  /** The operation in the document, and the method of the client. */
  readonly name: string;
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** As OpenAPI writes it: `/api/turns/{id}`. */
  readonly path: `/api/${string}`;
  readonly summary: string;
  readonly who: Who;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** What a good answer holds, or one event of a stream. */
  readonly returns: Returns;
  /** The content type where it is not JSON; `run` then gives the response itself. */
  readonly type?: 'text/event-stream' | 'application/x-ndjson';
  run(
    context: RouteContext,
    input: { readonly params: Maybe<Params>; readonly query: Maybe<Query>; readonly body: Maybe<Body> },
  ): Promise<z.input<Returns> | Response>;
}

/** Any route. */
export type Route = RouteDefinition<Fields | undefined, Fields | undefined, z.ZodType | undefined, z.ZodType>;

/** Writes a route down, with the types of its parts. */
export function route<
  const Name extends string,
  Returns extends z.ZodType,
  Params extends Fields | undefined = undefined,
  Query extends Fields | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
>(
  definition: RouteDefinition<Params, Query, Body, Returns> & { readonly name: Name },
): RouteDefinition<Params, Query, Body, Returns> & { readonly name: Name } {
  return definition;
}
