/**
 * The only way from a confined command to the network: a proxy in Handrail's own process that connects to the hosts
 * that were granted, by addresses it resolved and looked at itself, and keeps a record of each.
 */
import { lookup } from 'node:dns/promises';
import { createServer, type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http';
import { connect, isIP, type Socket } from 'node:net';
import { type Duplex, pipeline } from 'node:stream';
import { normaliseHost } from '../../host-name.ts';
import { hostRules } from './host-rule.ts';

export interface Proxy extends Disposable {
  /** Serves one connection of a client. */
  serve(connection: Duplex): void;
  readonly reached: ReadonlySet<string>;
  readonly denied: ReadonlySet<string>;
}

const CONNECT_TIMEOUT_MS = 30_000;
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
]);

/** What a client is told instead of what it asked for. */
class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** A proxy to these hosts and no others, for clients that say the token, where there is one. */
export function startProxy(hosts: readonly string[], token?: string): Proxy {
  const rules = hostRules(hosts);
  const reached = new Set<string>();
  const denied = new Set<string>();
  const open = new Set<Socket>();

  const addressOf = async (host: string): Promise<string> => {
    if (!rules.allows(host)) throw refusal(denied, host, `is not among them: ${hosts.join(', ')}`);
    const found = isIP(host) > 0 ? [{ address: host }] : await lookup(host, { all: true }).catch(() => []);
    if (found.length === 0) throw new Refusal(502, `The host ${host} is not known.`);
    const fit = found.find(({ address }) => rules.allowsAddress(host, address));
    if (fit === undefined)
      throw refusal(denied, host, 'has a private address, which has to be granted itself');
    return fit.address;
  };

  const dial = async (host: string, port: number): Promise<Socket> => {
    const socket = connect({ host: await addressOf(host), port, timeout: CONNECT_TIMEOUT_MS });
    open.add(socket.once('close', () => open.delete(socket)));
    return new Promise((resolve, reject) => {
      const fail = (): void => {
        socket.destroy();
        reject(new Refusal(502, `The host ${host} did not answer on port ${port}.`));
      };
      socket.once('error', fail).once('timeout', fail);
      socket.once('connect', () => {
        reached.add(host);
        socket.off('error', fail).off('timeout', fail).setTimeout(0);
        resolve(socket);
      });
    });
  };

  const expected = token && `Basic ${Buffer.from(`handrail:${token}`).toString('base64')}`;
  const dialFor = (request: IncomingMessage): Dial => {
    if (expected === undefined || request.headers['proxy-authorization'] === expected) return dial;
    return () => Promise.reject(new Refusal(407, 'This proxy serves another command.'));
  };
  const server = createServer({ requestTimeout: 0 });
  server.on('request', (request, response) => void forward(request, response, dialFor(request)));
  server.on('connect', (request, client, head) => void tunnel(request, client, head, dialFor(request)));
  return {
    serve: (connection) => void server.emit('connection', connection),
    reached,
    denied,
    [Symbol.dispose]() {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}

function refusal(denied: Set<string>, host: string, why: string): Refusal {
  denied.add(host);
  return new Refusal(403, `This command may reach granted hosts only; ${host} ${why}.`);
}

type Dial = (host: string, port: number) => Promise<Socket>;

/** `CONNECT host:port`: bytes both ways, whatever they are. */
async function tunnel(request: IncomingMessage, client: Duplex, head: Buffer, dial: Dial): Promise<void> {
  client.on('error', () => {});
  try {
    const { host, port } = authority(request.url);
    const socket = await dial(host, port);
    client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    if (head.length > 0) socket.write(head);
    pipeline(client, socket, () => {});
    pipeline(socket, client, () => {});
  } catch (error) {
    const { status, text } = told(error);
    client.end(
      `HTTP/1.1 ${status} Refused\r\n${status === 407 ? ASKING : ''}Content-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
    );
  }
}

/** A plain request with a whole URL, sent on as it is but for what concerns the proxy. */
async function forward(request: IncomingMessage, response: ServerResponse, dial: Dial): Promise<void> {
  try {
    const { host, port, url } = target(request.url ?? '');
    const socket = await dial(host, port);
    const headers = Object.fromEntries(
      Object.entries(request.headers).filter(([name]) => !HOP_BY_HOP.has(name)),
    );
    const onward = httpRequest({
      createConnection: () => socket,
      method: request.method,
      path: url.pathname + url.search,
      headers: { ...headers, host: url.host, connection: 'close' },
    });
    onward.on('response', (answer) => {
      const kept = Object.entries(answer.headers).filter(([name]) => !HOP_BY_HOP.has(name));
      response.writeHead(answer.statusCode ?? 502, Object.fromEntries(kept));
      pipeline(answer, response, () => {});
    });
    onward.on('error', () => response.destroy());
    pipeline(request, onward, () => {});
  } catch (error) {
    const { status, text } = told(error);
    const asking = status === 407 ? { 'proxy-authenticate': CHALLENGE } : {};
    response.writeHead(status, { ...asking, 'content-type': 'text/plain', connection: 'close' }).end(text);
  }
}

/** Some clients say who they are only once they were asked. */
const CHALLENGE = 'Basic realm="handrail"';
const ASKING = `Proxy-Authenticate: ${CHALLENGE}\r\n`;

function target(written: string): { host: string; port: number; url: URL } {
  const url = URL.canParse(written) ? new URL(written) : undefined;
  if (url?.protocol !== 'http:' || url.hostname === '') throw new Refusal(400, NOT_UNDERSTOOD);
  return { host: normaliseHost(url.hostname), port: Number(url.port || 80), url };
}

function authority(written: string | undefined): { host: string; port: number } {
  const [, host, port] = /^([^/@?#\s]+):(\d{1,5})$/.exec(written ?? '') ?? [];
  if (host === undefined || Number(port) > 65_535) throw new Refusal(400, NOT_UNDERSTOOD);
  return { host: normaliseHost(host), port: Number(port) };
}

const NOT_UNDERSTOOD =
  'This proxy takes CONNECT with a host and a port, and plain requests with a whole URL.';

function told(error: unknown): { status: number; text: string } {
  if (error instanceof Refusal) return { status: error.status, text: `handrail: ${error.message}\n` };
  return { status: 502, text: 'handrail: the connection failed.\n' };
}
