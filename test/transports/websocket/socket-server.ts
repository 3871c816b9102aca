/** A server over a workspace, in this process, and clients of its WebSocket. Another one can be started on the same state. */
import { WebSocket } from 'ws';
import { agentsOf } from '../../../src/cli/lend-agents.ts';
import { recordsOf } from '../../../src/cli/serve.ts';
import { localClock } from '../../../src/host/local/clock.ts';
import type { Runtime, RuntimeOptions } from '../../../src/index.ts';
import { openState } from '../../../src/open-state.ts';
import type { Records } from '../../../src/transports/http/records.ts';
import { type ServerOptions, startServer } from '../../../src/transports/http/server.ts';
import type { TempWorkspace } from '../../support/temp-workspace.ts';

export const TOKEN = 'token-of-the-agent-0123456789';
export const KEY = 'key-of-the-person-0123456789';
export const AGENT = { authorization: `Bearer ${TOKEN}` };
export const PERSON = { ...AGENT, 'handrail-approval': KEY };

export type Message = Readonly<Record<string, unknown>>;

export interface SocketServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly runtime: Runtime;
  readonly records: Records;
  /** What /metrics says of it. */
  figure(name: string): Promise<number>;
  connect(path: string, headers?: Readonly<Record<string, string>>): Promise<Client>;
}

export type ServerSetup = Partial<RuntimeOptions> & Pick<ServerOptions, 'socketLimits' | 'requestTimeouts'>;

export async function socketServer(
  workspace: TempWorkspace,
  { socketLimits = {}, requestTimeouts = {}, ...options }: ServerSetup = {},
): Promise<SocketServer> {
  const runtime = await workspace.runtime(options);
  const state = openState(workspace.locations);
  const records = recordsOf(state, localClock, workspace.locations);
  const server = await startServer({
    runtime,
    records,
    agentsOf: (served) => agentsOf(served, { environment: options.environment ?? {} }),
    clock: localClock,
    version: '0.0.0',
    credentials: { token: TOKEN, approvalKey: KEY },
    host: '127.0.0.1',
    port: 0,
    socketLimits,
    requestTimeouts,
  });
  const url = `ws://127.0.0.1:${server.port}`;
  return {
    url,
    port: server.port,
    runtime,
    records,
    async figure(name) {
      const metrics = await fetch(`http://127.0.0.1:${server.port}/metrics`, { headers: AGENT });
      const lines = (await metrics.text()).split('\n');
      return Number(lines.find((line) => line.startsWith(`${name} `))?.split(' ')[1]);
    },
    connect: (path, headers = AGENT) => connect(new WebSocket(`${url}${path}`, { headers })),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await runtime[Symbol.asyncDispose]();
      await state[Symbol.asyncDispose]();
    },
  };
}

/** A socket, and what it received, in order. */
export class Client {
  readonly received: Message[] = [];
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  readonly #socket: WebSocket;
  #waiting: ((message: Message) => boolean)[] = [];

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString()) as Message;
      this.received.push(message);
      this.#waiting = this.#waiting.filter((take) => !take(message));
    });
    this.closed = new Promise((resolve) =>
      socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() })),
    );
    socket.on('error', () => undefined);
  }

  get socket(): WebSocket {
    return this.#socket;
  }

  /** The last number it has. */
  get seq(): number {
    return Math.max(0, ...this.received.map(({ seq }) => (typeof seq === 'number' ? seq : 0)));
  }

  send(message: Message): void {
    this.#socket.send(JSON.stringify(message));
  }

  /** Waits for a message that has all of these fields. */
  whenGot(fields: Message): Promise<Message> {
    const isIt = (message: Message): boolean =>
      Object.entries(fields).every(([name, value]) => message[name] === value);
    const { promise, resolve, reject } = Promise.withResolvers<Message>();
    const take = (message: Message): boolean => {
      if (isIt(message)) resolve(message);
      return isIt(message);
    };
    if (!this.received.some(take)) this.#waiting.push(take);
    const late = setTimeout(() => reject(new Error(`Nothing with ${JSON.stringify(fields)} came.`)), 30_000);
    return promise.finally(() => clearTimeout(late));
  }

  /** Makes a call, and waits for its result. */
  async call(call_id: string, tool_name: string, args: unknown, more: Message = {}): Promise<Message> {
    this.send({ type: 'tool_call', call_id, tool_name, args, ...more });
    return this.whenGot({ type: 'tool_result', call_id });
  }

  /** Cuts the connection as a network does: without a word. */
  cut(): void {
    this.#socket.terminate();
  }
}

/** Waits until it is open. */
export function connect(socket: WebSocket): Promise<Client> {
  const client = new Client(socket);
  return new Promise((resolve, reject) => {
    socket.on('open', () => resolve(client));
    socket.on('error', reject);
  });
}
