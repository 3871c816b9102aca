/** A web server of this machine, at one of its own addresses; gone when disposed. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface WebServer extends AsyncDisposable {
  readonly port: number;
  readonly origin: string;
  /** What was asked for, in order. */
  readonly asked: readonly string[];
}

/** Serves at an address; at a port that is free where none is given. */
export async function webServer(
  answer: RequestListener,
  { address = '127.0.0.1', port = 0 }: { readonly address?: string; readonly port?: number } = {},
): Promise<WebServer> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.on('error', () => {});
    answer(request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, resolve);
  });
  // Who does not dispose it still ends.
  server.unref();
  const { port: taken } = server.address() as AddressInfo;
  return {
    port: taken,
    origin: `http://${address.includes(':') ? `[${address}]` : address}:${taken}`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}

/** Answers with a text. */
export function saying(text: string, headers: Readonly<Record<string, string>> = {}): RequestListener {
  return (_request, response) =>
    void response.writeHead(200, { 'content-type': 'text/plain', ...headers }).end(text);
}
