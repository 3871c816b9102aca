/** The network of one confined command: a proxy outside, a bridge to it inside, and what tools need to find it. */
import { randomBytes, randomInt } from 'node:crypto';
import { createServer } from 'node:http2';
import { Duplex } from 'node:stream';
import { Failure } from '../../../failure.ts';
import { bridge } from './bridge.ts';
import { startProxy } from './proxy.ts';

export interface Network extends Disposable {
  /** What is shown inside, by where it is and where it is shown. */
  readonly shown: readonly (readonly [source: string, shown: string])[];
  readonly env: Readonly<Record<string, string>>;
  /** The line of the starting shell that starts the bridge over a descriptor. */
  start(descriptor: number): string;
  /** Serves the other end of that descriptor; done once the bridge listens. */
  serve(pipe: Duplex): Promise<void>;
  readonly reached: ReadonlySet<string>;
  readonly denied: ReadonlySet<string>;
}

const USUAL_PORT = 3128;
/** Where a command is not alone in its network, its port is one that nobody expects. */
const SHARED_PORTS = { first: 20_000, count: 12_000 };
const NODE = '/run/handrail/node';
const READY_TIMEOUT_MS = 15_000;
/** Larger than by default, or a download would wait for every answer from inside. */
const WINDOW_BYTES = 4 * 1024 * 1024;

/** A way to these hosts and no others; where others share the network, only for who knows its token. */
export function networkTo(hosts: readonly string[], isShared: boolean): Network {
  const token = isShared ? randomBytes(16).toString('hex') : undefined;
  const port = isShared ? SHARED_PORTS.first + randomInt(SHARED_PORTS.count) : USUAL_PORT;
  const proxy = startProxy(hosts, token);
  return {
    shown: [[process.execPath, NODE]],
    env: proxyVariables(`http://${token === undefined ? '' : `handrail:${token}@`}127.0.0.1:${port}`),
    start(descriptor) {
      const program = `(${bridge.toString()})(${descriptor}, ${port})`;
      // From a shell of its own, so that the command is not the parent of a child it does not know.
      return `(${NODE} --eval ${quoted(program)} </dev/null >/dev/null 2>&1 &)`;
    },
    serve: (pipe) => serve(pipe, (connection) => proxy.serve(connection)),
    reached: proxy.reached,
    denied: proxy.denied,
    [Symbol.dispose]: () => proxy[Symbol.dispose](),
  };
}

/** As one word of the shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function serve(pipe: Duplex, take: (connection: Duplex) => void): Promise<void> {
  const ready = Promise.withResolvers<void>();
  const giveUp = (): void =>
    ready.reject(new Failure('E_EXEC', 'The way to the granted hosts could not be opened; nothing was run.'));
  const timer = setTimeout(giveUp, READY_TIMEOUT_MS);
  const server = createServer({ settings: { initialWindowSize: WINDOW_BYTES } });
  server.on('session', (session) => session.setLocalWindowSize(WINDOW_BYTES));
  server.on('sessionError', giveUp);
  server.on('stream', (stream, headers) => {
    stream.on('error', () => {});
    stream.respond();
    if (headers[':path'] === '/ready') {
      stream.end();
      ready.resolve();
    } else take(plainDuplex(stream));
  });
  server.emit('connection', pipe);
  return ready.promise.finally(() => clearTimeout(timer));
}

/** Several pieces of text at once come out of a stream of HTTP/2 in the wrong order; one piece of bytes does not. */
function plainDuplex(stream: Duplex): Duplex {
  return Duplex.from({ readable: stream, writable: stream });
}

const AROUND = 'localhost,127.0.0.1,::1';

function proxyVariables(url: string): Record<string, string> {
  return {
    HTTP_PROXY: url,
    HTTPS_PROXY: url,
    ALL_PROXY: url,
    http_proxy: url,
    https_proxy: url,
    all_proxy: url,
    NO_PROXY: AROUND,
    no_proxy: AROUND,
    NODE_USE_ENV_PROXY: '1',
  };
}
