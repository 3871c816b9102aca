/** One request to the API, and what comes back when it is refused. */
import { ApiFailure } from './api-failure.ts';

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

export type Input = Readonly<Record<string, unknown>>;

/** Sends it. What the path has no place for goes into the query, or into the body of what changes something. */
export async function send(
  options: ClientOptions,
  method: string,
  path: string,
  input: Input,
  signal?: AbortSignal,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest.get(name);
    rest.delete(name);
    return segment(name, value);
  });
  const hasBody = method === 'post' || method === 'put';
  const query = hasBody
    ? ''
    : String(new URLSearchParams([...rest].map(([name, value]) => [name, String(value)])));
  const response = await reach(serverAddress(options, filled + (query === '' ? '' : `?${query}`)), {
    method: method.toUpperCase(),
    headers: {
      ...requestHeaders(options),
      ...headers,
      ...(hasBody ? { 'content-type': 'application/json' } : {}),
    },
    ...(hasBody ? { body: JSON.stringify(Object.fromEntries(rest)) } : {}),
    ...(signal === undefined ? {} : { signal }),
  });
  if (response.ok) return response;
  throw await failureIn(response);
}

/** A place on the server. */
export function serverAddress({ url = '' }: ClientOptions, path: string): string {
  return url.replace(/\/$/, '') + path;
}

/** Who asks, and about which project. */
export function requestHeaders({ token, approvalKey, project }: ClientOptions): Record<string, string> {
  return {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(approvalKey === undefined ? {} : { 'handrail-approval': approvalKey }),
    ...(project === undefined ? {} : { 'handrail-project': project }),
  };
}

/** What a refusal says. */
export async function failureIn(response: Response): Promise<ApiFailure> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  const error = isJson
    ? (JSON.parse(text) as { error?: ConstructorParameters<typeof ApiFailure>[1] }).error
    : undefined;
  // Whatever stands in front of the server may have words of its own.
  return new ApiFailure(response.status, error ?? { message: text.trim() });
}

/** One part of a path; `..` would lead to another operation than the one that is meant. */
function segment(name: string, value: unknown): string {
  if (typeof value === 'string' && !['', '.', '..'].includes(value)) return encodeURIComponent(value);
  throw new ApiFailure(0, { message: `${JSON.stringify(value)} is no ${name}.` });
}

async function reach(url: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(url, request);
  } catch (error) {
    if (request.signal?.aborted === true) throw error;
    throw new ApiFailure(
      0,
      { message: `The server does not answer at ${url}.`, hint: 'Start it with `handrail serve`.' },
      { cause: error },
    );
  }
}
