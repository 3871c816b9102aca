/** What is known of a route outside of the server: all that the client's types are made of. They load nothing else of it. */
import type * as z from 'zod';

export type Method = 'get' | 'post' | 'put' | 'delete';
/** As OpenAPI writes it: `/api/turns/{id}`. */
export type Path = `/api/${string}`;
export type Fields = z.ZodObject;
/** The content type where it is not JSON. */
export type StreamType = 'text/event-stream' | 'application/x-ndjson' | undefined;

/**
 * Who may ask: `reader` has the token, and gets nothing that stands in files; `agent` sends the token itself, or is a
 * person; `person` has the approval key besides.
 */
export type Who = 'reader' | 'agent' | 'person';

export interface RouteShape<
  Name extends string,
  Verb extends Method,
  Place extends Path,
  Params,
  Query,
  Body,
  Returns extends z.ZodType,
  Type extends StreamType,
> {
  /** The operation in the document, and the method of the client. */
  readonly name: Name;
  readonly method: Verb;
  readonly path: Place;
  readonly summary: string;
  readonly who: Who;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** The most that a body may have, where that is more than usual. */
  readonly bodyBytes?: number;
  /** What a good answer holds; of a stream, one event or line. */
  readonly returns: Returns;
  readonly type?: Type;
  /** Only the route itself knows what it takes; whoever calls it has checked that by the schemas above. */
  run(context: never, input: never): Promise<unknown>;
}
