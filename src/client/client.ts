/** The API from TypeScript, in Node and in browsers: a method an operation, typed by the routes themselves. */
import type * as z from 'zod';
import type { FailureCode } from '../failure.ts';
import { OPERATIONS, type OperationName, type RouteOf } from './operations.ts';

export interface ClientOptions {
  /** Of the server; a page that the server sent needs none. */
  readonly url?: string;
  /** What `handrail serve` printed; a page has it as a cookie. */
  readonly token?: string;
  /** For a person's client: lets answer questions and take turns back. Never give it to an agent. */
  readonly approvalKey?: string | undefined;
  /** The id of a registered project; else the server's own workspace. */
  readonly project?: string | undefined;
}

export interface RequestOptions {
  readonly signal?: AbortSignal;
}

type Part<Schema> = Schema extends z.ZodType ? z.input<Schema> : unknown;
type Input<Name extends OperationName> = Part<RouteOf<Name>['params']> &
  Part<RouteOf<Name>['query']> &
  Part<RouteOf<Name>['body']>;
export type Output<Name extends OperationName> = z.output<RouteOf<Name>['returns']>;

type Method<Name extends OperationName> =
  Partial<Input<Name>> extends Input<Name>
    ? (input?: Input<Name>, options?: RequestOptions) => Promise<Output<Name>>
    : (input: Input<Name>, options?: RequestOptions) => Promise<Output<Name>>;

/** A method an operation. */
export type Client = { readonly [Name in OperationName]: Method<Name> };

/** What the server said no with. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';
  readonly status: number;
  /** Undefined where the gate said no. */
  readonly code: FailureCode | undefined;
  readonly hint: string | undefined;

  constructor(status: number, error: { code?: FailureCode; message: string; hint?: string }) {
    super(error.message);
    this.status = status;
    this.code = error.code;
    this.hint = error.hint;
  }
}

/** A client of one server. */
export function handrailClient(options: ClientOptions = {}): Client {
  const methods = Object.entries(OPERATIONS).map(([name, [method, path]]) => [
    name,
    (input: Readonly<Record<string, unknown>> = {}, { signal }: RequestOptions = {}) =>
      ask(options, method, path, input, signal),
  ]);
  return Object.fromEntries(methods) as Client;
}

/** What the path has no place for goes into the query, or into the body of what changes something. */
async function ask(
  options: ClientOptions,
  method: string,
  path: string,
  input: Readonly<Record<string, unknown>>,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest.get(name);
    rest.delete(name);
    return encodeURIComponent(typeof value === 'string' ? value : '');
  });
  const hasBody = method === 'post' || method === 'put';
  const query = hasBody ? '' : new URLSearchParams([...rest].map(([name, value]) => [name, String(value)]));
  const response = await fetch(
    `${options.url ?? ''}${filled}${String(query) === '' ? '' : `?${String(query)}`}`,
    {
      method: method.toUpperCase(),
      headers: { ...requestHeaders(options), ...(hasBody ? { 'content-type': 'application/json' } : {}) },
      ...(hasBody ? { body: JSON.stringify(Object.fromEntries(rest)) } : {}),
      ...(signal === undefined ? {} : { signal }),
    },
  );
  if (response.ok) return response.json();
  throw await failureIn(response);
}

/** Who asks, and about which project. */
export function requestHeaders({ token, approvalKey, project }: ClientOptions): Record<string, string> {
  return {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(approvalKey === undefined ? {} : { 'handrail-approval': approvalKey }),
    ...(project === undefined ? {} : { 'handrail-project': project }),
  };
}

/** What a refusal says; the gate says it as text. */
export async function failureIn(response: Response): Promise<ApiFailure> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  const error = isJson
    ? (JSON.parse(text) as { error: ConstructorParameters<typeof ApiFailure>[1] }).error
    : undefined;
  return new ApiFailure(response.status, error ?? { message: text.trim() });
}
