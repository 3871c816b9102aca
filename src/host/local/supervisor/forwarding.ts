/**
 * A port of this machine's loopback that leads into a session's network. Connections are carried by a small Node in
 * that network, over the one descriptor it was given; it decides nothing, and ends with this process.
 */
import { spawn } from 'node:child_process';
import { connect } from 'node:http2';
import { type AddressInfo, createServer } from 'node:net';
import { once } from 'node:events';
import { type Duplex, pipeline } from 'node:stream';
import { Failure } from '../../../failure.ts';
import { coveredDescriptors } from '../inherited-descriptors.ts';
import { enteringArguments, type HeldNetwork } from '../sandbox/session-network.ts';

export interface Forwarding extends Disposable {
  /** Where it can be reached on this machine's loopback. */
  readonly port: number;
}

const CARRIER = 3;

/** Opens the same port here where it is free, else another one. */
export async function forwardPort(network: HeldNetwork, port: number): Promise<Forwarding> {
  const child = spawn(
    network.nsenter,
    [...enteringArguments(network), process.execPath, '--eval', `(${carry.toString()})(${CARRIER}, ${port})`],
    {
      cwd: '/',
      env: { NODE_V8_COVERAGE: undefined },
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', ...coveredDescriptors(CARRIER + 1)],
    },
  );
  child.on('error', () => {});
  const carrier = child.stdio[CARRIER] as Duplex;
  const session = connect('http://handrail', { createConnection: () => carrier });
  session.on('error', () => {});
  const server = createServer({ allowHalfOpen: true }, (connection) => {
    const stream = session.request({ ':method': 'POST', ':path': '/' });
    pipeline(connection, stream, () => {});
    pipeline(stream, connection, () => {});
  });
  const close = (): void => {
    server.close();
    session.destroy();
    child.kill('SIGKILL');
  };
  try {
    await Promise.race([once(session, 'remoteSettings'), ended(once(child, 'exit'))]);
    await listen(server, port).catch(() => listen(server, 0));
  } catch (cause) {
    close();
    throw new Failure('E_EXEC', `Port ${port} could not be forwarded.`, { cause });
  }
  return { port: (server.address() as AddressInfo).port, [Symbol.dispose]: close };
}

async function ended(exit: Promise<unknown>): Promise<never> {
  await exit;
  throw new Error('The carrier ended.');
}

function listen(server: ReturnType<typeof createServer>, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Runs inside, handed over as text: it must not use anything from outside of itself. */
function carry(descriptor: number, port: number): void {
  const { createServer: createCarrier } = process.getBuiltinModule('node:http2');
  const { connect: dial, Socket: Carrier } = process.getBuiltinModule('node:net');
  const { pipeline: carryOver } = process.getBuiltinModule('node:stream');
  const carrier = new Carrier({ fd: descriptor, readable: true, writable: true });
  carrier.on('close', () => process.exit());
  const server = createCarrier();
  server.on('stream', (stream) => {
    stream.respond();
    const socket = dial({ host: 'localhost', port, allowHalfOpen: true });
    carryOver(stream, socket, () => {});
    carryOver(socket, stream, () => {});
  });
  server.emit('connection', carrier);
}
