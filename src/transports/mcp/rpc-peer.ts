/** JSON-RPC with cancellation, as MCP has it: requests go both ways and are answered in any order. Knows no other method. */

/** What a request is refused with. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export const METHOD_NOT_FOUND = -32_601;
export const INVALID_PARAMS = -32_602;
export const INTERNAL_ERROR = -32_603;

type Id = string | number;
type Params = Readonly<Record<string, unknown>>;

/** A request that is being answered. */
export interface ServedRequest {
  readonly method: string;
  readonly params: Params;
  /** Fires when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

export interface RpcPeerOptions {
  readonly send: (message: object) => void;
  readonly serve: (request: ServedRequest) => Promise<object>;
  /** Hears of messages that are none. */
  readonly onError: (error: Error) => void;
}

export class RpcPeer {
  readonly #options: RpcPeerOptions;
  readonly #served = new Map<Id, AbortController>();
  readonly #asked = new Map<Id, PromiseWithResolvers<unknown>>();
  #lastId = 0;

  constructor(options: RpcPeerOptions) {
    this.#options = options;
  }

  /** Takes a message from the other side. */
  receive(message: unknown): void {
    const { id, method, params = {}, result, error } = isRecord(message) ? message : {};
    if (typeof method === 'string' && isRecord(params)) {
      if (id === undefined) return this.#hear(method, params);
      if (isId(id)) return void this.#serve(id, method, params);
    }
    const asked = isId(id) && method === undefined ? this.#asked.get(id) : undefined;
    if (asked === undefined) return this.#options.onError(new Error('A message that was not expected.'));
    if (error === undefined) asked.resolve(result);
    else asked.reject(new Error(isRecord(error) ? String(error['message']) : 'The client failed.'));
  }

  /** Asks the other side; takes the question back when the signal fires. */
  async request(method: string, params: object = {}, signal?: AbortSignal): Promise<unknown> {
    signal?.throwIfAborted();
    const id = ++this.#lastId;
    const asked = Promise.withResolvers<unknown>();
    this.#asked.set(id, asked);
    const takeBack = (): void => {
      this.notify('notifications/cancelled', { requestId: id, reason: 'No longer wanted.' });
      asked.reject(signal?.reason);
    };
    signal?.addEventListener('abort', takeBack, { once: true });
    this.#options.send({ jsonrpc: '2.0', id, method, params });
    try {
      return await asked.promise;
    } finally {
      this.#asked.delete(id);
      signal?.removeEventListener('abort', takeBack);
    }
  }

  notify(method: string, params: object): void {
    this.#options.send({ jsonrpc: '2.0', method, params });
  }

  /** Ends what is under way: nobody is there any more. */
  close(): void {
    for (const served of this.#served.values()) served.abort();
    for (const asked of this.#asked.values()) asked.reject(new Error('The client is gone.'));
  }

  #hear(method: string, { requestId }: Params): void {
    if (method === 'notifications/cancelled' && isId(requestId)) this.#served.get(requestId)?.abort();
  }

  async #serve(id: Id, method: string, params: Params): Promise<void> {
    const abort = new AbortController();
    this.#served.set(id, abort);
    const answer = await this.#options.serve({ method, params, signal: abort.signal }).then(
      (result) => ({ result }),
      (error: unknown) => ({ error: toError(error) }),
    );
    if (this.#served.get(id) === abort) this.#served.delete(id);
    // Who cancelled a request wants no answer to it.
    if (!abort.signal.aborted) this.#options.send({ ...answer, jsonrpc: '2.0', id });
  }
}

function toError(error: unknown): { code: number; message: string } {
  if (error instanceof RpcError) return { code: error.code, message: error.message };
  return { code: INTERNAL_ERROR, message: error instanceof Error ? error.message : 'Internal error' };
}

function isId(value: unknown): value is Id {
  return typeof value === 'string' || typeof value === 'number';
}

/** Whether it is an object with names, as JSON has them. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
