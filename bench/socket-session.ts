/** A session over the WebSocket, spoken by hand: the cheapest client there is. */
import { once } from 'node:events';
import { WebSocket } from 'ws';

interface Answer {
  readonly error?: unknown;
}

export class SocketSession implements Disposable {
  readonly socket: WebSocket;
  /** How often each call was answered. */
  readonly answers = new Map<string, number>();
  readonly #waiting = new Map<string, (answer: Answer) => void>();

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data: Buffer) => {
      const { call_id: id, ...answer } = JSON.parse(data.toString());
      if (typeof id !== 'string') return;
      this.answers.set(id, (this.answers.get(id) ?? 0) + 1);
      this.#waiting.get(id)?.(answer);
      this.#waiting.delete(id);
    });
  }

  static async open(url: string, headers: Readonly<Record<string, string>> = {}): Promise<SocketSession> {
    const socket = new WebSocket(url, { headers, perMessageDeflate: false });
    await once(socket, 'open');
    return new SocketSession(socket);
  }

  async call(id: string, tool_name: string, args: object): Promise<void> {
    const answered = new Promise<Answer>((resolve) => this.#waiting.set(id, resolve));
    this.send(id, tool_name, args);
    const { error } = await answered;
    if (error !== undefined) throw new Error(`A measured call failed: ${JSON.stringify(error)}`);
  }

  /** Does not wait for the answer. */
  send(call_id: string, tool_name: string, args: object): void {
    this.socket.send(JSON.stringify({ type: 'tool_call', call_id, tool_name, args }));
  }

  [Symbol.dispose](): void {
    this.socket.terminate();
  }
}
