/**
 * One request, one answer. The host is resolved once, its addresses are looked at, and the connection goes to one of
 * those and nowhere else; the content is counted as it is unpacked, and read no further than it may be long.
 */
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector, cacheStores, type Dispatcher, fetch, interceptors } from 'undici';
import { Failure } from '../../../failure.ts';
import { normaliseHost } from '../../host-name.ts';
import { hostOf } from '../../web-url.ts';
import type { Web, WebAnswer, WebRequest } from '../../web-ports.ts';

export interface WebSurroundings {
  /** All addresses of a host; fails, or has none, where it is not known. */
  readonly addressesOf: (host: string) => Promise<readonly string[]>;
  /** Authorities that are believed besides the usual ones, in PEM. */
  readonly certificates: string | undefined;
}

const CACHE = { maxCount: 256, maxSize: 32 * 1024 * 1024, maxEntrySize: 4 * 1024 * 1024 };
const MAX_HEADER_BYTES = 32 * 1024;
const CONNECT_TIMEOUT_MS = 10_000;

/** A way to ask, with a memory of answers that say they may be given again. */
export function openAsk(surroundings: WebSurroundings): Web['ask'] {
  const answers = interceptors.cache({ store: new cacheStores.MemoryCacheStore(CACHE) });
  return async (request) => {
    const { url, signal } = request;
    try {
      const addresses = await permittedAddresses(request, surroundings);
      const agent = new Agent({
        connect: connectTo(addresses, surroundings),
        maxHeaderSize: MAX_HEADER_BYTES,
      });
      try {
        return await askOver(agent.compose(answers), request);
      } finally {
        await agent.destroy();
      }
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof Failure) throw error;
      throw new Failure('E_IO', `${hostOf(url)} gave no answer that could be used: ${reasonOf(error)}.`, {
        cause: error,
      });
    }
  };
}

/** The addresses of the host that may be connected to; a literal one is its own answer. */
async function permittedAddresses(
  { url, mayConnect, signal }: WebRequest,
  { addressesOf }: WebSurroundings,
): Promise<string[]> {
  const host = hostOf(url);
  const found =
    isIP(host) > 0
      ? [host]
      : await inTime(
          addressesOf(host).catch(() => []),
          signal,
        );
  if (found.length === 0) throw new Failure('E_IO', `The host ${host} is not known.`);
  const permitted = found.map(normaliseHost).filter(mayConnect);
  if (permitted.length > 0) return permitted;
  throw new Failure(
    'E_POLICY_DENIED',
    `${host} has a private network address, which is not allowed unless a rule names it.`,
  );
}

/** What does not listen to the signal is no longer waited for. */
async function inTime<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted();
  const { promise: end, reject } = Promise.withResolvers<never>();
  const giveUp = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    return await Promise.race([promise, end]);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

/** Connects to these addresses only. The look-up is not asked about a literal address, hence the look at the other end. */
function connectTo(
  addresses: readonly string[],
  { certificates }: WebSurroundings,
): buildConnector.connector {
  const connect = buildConnector({
    lookup: answering(addresses),
    timeout: CONNECT_TIMEOUT_MS,
    allowH2: false,
    ...(certificates === undefined ? {} : { ca: certificates }),
  });
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (error !== null) return callback(error, null);
      if (addresses.includes(normaliseHost(socket.remoteAddress ?? ''))) return callback(null, socket);
      socket.destroy();
      return callback(new Error('the connection went to another address'), null);
    });
}

function answering(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, { all }, callback) => {
    if (all === true) callback(null, found);
    else callback(null, found[0]!.address, found[0]!.family);
  };
}

async function askOver(dispatcher: Dispatcher, request: WebRequest): Promise<WebAnswer> {
  const { url, method, headers, body, maxBytes, signal } = request;
  const response = await fetch(url, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
    redirect: 'manual',
    credentials: 'omit',
    signal,
    dispatcher,
  });
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > maxBytes) throw tooLarge(hostOf(url), maxBytes);
    chunks.push(chunk);
  }
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: Buffer.concat(chunks),
  };
}

function tooLarge(host: string, maxBytes: number): Failure {
  return new Failure('E_TOO_LARGE', `Response too large: ${host} sends more than ${maxBytes} bytes.`);
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  const reason = cause instanceof Error ? cause.message : message;
  return reason.replace(/\.$/, '');
}
