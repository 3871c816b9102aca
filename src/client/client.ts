/** The API from TypeScript, in Node and in browsers: a method an operation, typed by the routes themselves. */
import type * as z from 'zod';
import { type EventsOptions, followEvents } from './events.ts';
import { jsonLines } from './json-lines.ts';
import { OPERATIONS, type OperationName, type RouteOf, type StreamOf } from './operations.ts';
import { type ClientOptions, type Input, type RequestOptions, send } from './send.ts';

type Sent<Schema extends z.ZodType | undefined> = [Schema] extends [undefined]
  ? unknown
  : z.input<NonNullable<Schema>>;
/** A query is text on its way; here it is what the server makes of that. */
type Asked<Schema extends z.ZodObject | undefined> = [Schema] extends [undefined]
  ? unknown
  : {
      readonly [Name in keyof z.input<NonNullable<Schema>>]: z.output<NonNullable<Schema>>[Name &
        keyof z.output<NonNullable<Schema>>];
    };

/** What an operation takes. */
export type InputOf<Name extends OperationName> = Sent<RouteOf<Name>['params']> &
  Asked<RouteOf<Name>['query']> &
  Sent<RouteOf<Name>['body']>;
/** What an operation gives; of a stream, one event or line. */
export type OutputOf<Name extends OperationName> = z.output<RouteOf<Name>['returns']>;

type Given<Name extends OperationName> =
  StreamOf<Name> extends undefined ? Promise<OutputOf<Name>> : AsyncIterable<OutputOf<Name>>;

type Method<Name extends OperationName> =
  Partial<InputOf<Name>> extends InputOf<Name>
    ? (input?: InputOf<Name>, options?: RequestOptions) => Given<Name>
    : (input: InputOf<Name>, options?: RequestOptions) => Given<Name>;

/** A method an operation. */
export type Client = { readonly [Name in Exclude<OperationName, 'events'>]: Method<Name> } & {
  /** Everything that happens; a lost connection is taken up again. */
  readonly events: (options?: EventsOptions) => AsyncIterable<OutputOf<'events'>>;
};

/** A client of one server. */
export function handrailClient(options: ClientOptions = {}): Client {
  const methods = Object.entries(OPERATIONS).map(([name, [method, path, type]]: [string, Place]) => [
    name,
    (input: Input = {}, { signal }: RequestOptions = {}) => {
      const request = (): Promise<Response> => send(options, method, path, input, signal);
      return type === undefined ? request().then((response) => response.json()) : jsonLines(request);
    },
  ]);
  const [, events] = OPERATIONS.events;
  return {
    ...Object.fromEntries(methods),
    events: (how: EventsOptions = {}) => followEvents(options, events, how),
  } as Client;
}

type Place = readonly [method: string, path: string, type?: string];
