/** A request to upgrade as a plain one, and a plain answer to it. */
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/** Undefined where it is not for the WebSocket, or can not be read. */
export function toPlainRequest({ url = '', method, headers }: IncomingMessage): Request | undefined {
  if (method !== 'GET' || headers.upgrade?.toLowerCase() !== 'websocket') return undefined;
  const given = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
  );
  try {
    const place = new URL(url, `http://${headers.host}`);
    // As the routes will see it: what leads elsewhere by `..` must not be answered here, where no stream ever ends.
    return place.pathname.startsWith('/ws/') ? new Request(place, { headers: given }) : undefined;
  } catch {
    return undefined;
  }
}

/** Writes an answer, and ends the socket. */
export async function answerPlainly(socket: Duplex, response: Response): Promise<void> {
  const body = await response.text();
  const status = `HTTP/1.1 ${response.status} ${STATUS_CODES[response.status] ?? ''}`;
  const headers = new Headers(response.headers);
  headers.set('connection', 'close');
  headers.set('content-length', String(Buffer.byteLength(body)));
  const lines = [...headers].map(([name, value]) => `${name}: ${value}`);
  socket.end([status, ...lines, '', body].join('\r\n'));
}
