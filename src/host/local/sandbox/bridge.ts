/**
 * The part of the network that runs inside the sandbox, before the command: it takes connections to a port of the
 * sandbox's own loopback and carries each as a stream over the one descriptor it was given. It decides nothing; the
 * proxy at the other end does. It imports nothing of Handrail: inside, there is only this file.
 */
import { connect } from 'node:http2';
import { createServer, Socket } from 'node:net';
import { pipeline } from 'node:stream';

/** Listens until the sandbox ends; a request for `/ready` says that it does. */
export function bridge(descriptor: number, port: number): void {
  const carrier = new Socket({ fd: descriptor, readable: true, writable: true });
  const session = connect('http://handrail', { createConnection: () => carrier });
  const server = createServer({ allowHalfOpen: true }, (connection) => {
    const stream = session.request({ ':method': 'POST', ':path': '/connection' });
    pipeline(connection, stream, () => {});
    pipeline(stream, connection, () => {});
  });
  session.on('error', () => server.close()).on('close', () => server.close());
  server.listen(port, '127.0.0.1', () => void session.request({ ':path': '/ready' }).resume());
}
