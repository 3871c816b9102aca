/** A route of the API, written once: the server mounts it, the OpenAPI document and the client's types are made from it. */
import type { Context } from 'hono';
import type * as z from 'zod';
import type { Clock } from '../../../host/ports.ts';
import type { Runtime } from '../../../runtime-types.ts';
import type { Conversations } from '../../conversations.ts';
import type { Feed } from '../event-feed.ts';
import type { Presence } from '../presence.ts';
import type { Records } from '../records.ts';
import type { ServedSessions } from '../served-sessions.ts';
import type { Fields, Method, Path, RouteShape, StreamType } from './route-shape.ts';

/** What a route works with. */
export interface RouteContext {
  /** Of the project that the request names, else the server's own. */
  readonly runtime: Runtime;
  /** The server's own. */
  readonly own: Runtime;
  readonly records: Records;
  /** Somebody who answers questions is there while one of their streams is open. */
  readonly presence: Presence;
  readonly feed: Feed;
  readonly sessions: ServedSessions;
  readonly conversations: Conversations;
  readonly clock: Clock;
  readonly version: string;
  /** Whether the request came with the approval key. */
  readonly isPerson: boolean;
  /** Aborts when the client has gone. */
  readonly signal: AbortSignal;
  readonly http: Context;
}

/** Any route. */
export type Route = RouteShape<
  string,
  Method,
  Path,
  Fields | undefined,
  Fields | undefined,
  z.ZodType | undefined,
  z.ZodType,
  StreamType
>;

type Maybe<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** Writes a route down, with the types of its parts. Where it is not JSON, `run` gives the response itself. */
export function route<
  const Name extends string,
  const Verb extends Method,
  const Place extends Path,
  Returns extends z.ZodType,
  Params extends Fields | undefined = undefined,
  Query extends Fields | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
  const Type extends StreamType = undefined,
>(
  definition: Omit<RouteShape<Name, Verb, Place, Params, Query, Body, Returns, Type>, 'run'> & {
    run(
      context: RouteContext,
      input: { readonly params: Maybe<Params>; readonly query: Maybe<Query>; readonly body: Maybe<Body> },
    ): Promise<z.input<Returns> | Response>;
  },
): RouteShape<Name, Verb, Place, Params, Query, Body, Returns, Type> {
  return definition;
}
