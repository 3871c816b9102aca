/**
 * The part of the network that runs inside the sandbox, before the command, in a Node of its own: there it is handed
 * over as text, so it must not use anything from outside of itself. It decides nothing; the proxy at the other end does.
 */

/**
 * Takes connections to a port of the sandbox's own loopback, and carries each as a stream over the one descriptor it
 * was given; a request for `/ready` says that it listens.
 */
export function bridge(descriptor: number, port: number): void {
  const { connect } = process.getBuiltinModule('node:http2');
  const { createServer, Socket } = process.getBuiltinModule('node:net');
  const { pipeline } = process.getBuiltinModule('node:stream');
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
