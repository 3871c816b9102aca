/** One connection to the supervisor: calls that are answered, and what is told unasked. */
import { connect, type Socket } from 'node:net';
import { Failure } from '../../../failure.ts';
import { messageLines, type MessageLines } from './message-lines.ts';
import type { Answer, CallName, Calls, Told } from './protocol.ts';

interface Pending {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Failure) => void;
}

export class SupervisorClient {
  readonly #socket: Socket;
  readonly #lines: MessageLines;
  readonly #pending = new Map<number, Pending>();
  #number = 0;
  readonly closed: Promise<void>;
  /** The identity of the supervisor's process. */
  readonly supervisor: string;

  private constructor(socket: Socket, supervisor: string, onTold: (told: Told) => void) {
    this.#socket = socket;
    this.supervisor = supervisor;
    this.#lines = messageLines(socket, (message) => {
      if (isAnswer(message)) this.#settle(message);
      else onTold(message as Told);
    });
    this.closed = new Promise((resolve) => {
      socket.once('close', () => {
        for (const { reject } of this.#pending.values()) reject(connectionLost());
        resolve();
      });
    });
    // It must not keep a process that has nothing else to do.
    socket.unref();
  }

  /** Connects to a socket; fails as the machine does. */
  static async to(path: string, supervisor: string, onTold: (told: Told) => void): Promise<SupervisorClient> {
    const socket = connect(path);
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject).once('connect', () => {
        socket.off('error', reject);
        resolve();
      });
    });
    return new SupervisorClient(socket, supervisor, onTold);
  }

  async call<Name extends CallName>(
    name: Name,
    given: Calls[Name]['given'],
    signal?: AbortSignal,
  ): Promise<Calls[Name]['answer']> {
    signal?.throwIfAborted();
    const number = ++this.#number;
    const cancel = (): void => void this.call('cancel', { of: number }).catch(() => undefined);
    signal?.addEventListener('abort', cancel);
    this.#socket.ref();
    try {
      return await new Promise<Calls[Name]['answer']>((resolve, reject) => {
        if (!this.#lines.isOpen) reject(connectionLost());
        this.#pending.set(number, { resolve: resolve as Pending['resolve'], reject });
        this.#lines.send({ number, name, given });
      });
    } finally {
      signal?.removeEventListener('abort', cancel);
      this.#pending.delete(number);
      if (this.#pending.size === 0) this.#socket.unref();
    }
  }

  close(): void {
    this.#socket.destroy();
  }

  /** Waits until the other side has closed it. */
  async gone(): Promise<void> {
    this.#socket.ref();
    await this.closed;
  }

  #settle(answer: Answer): void {
    const pending = this.#pending.get(answer.number);
    if (!('failure' in answer)) return pending?.resolve(answer.answer);
    const { code, message, hint } = answer.failure;
    pending?.reject(new Failure(code, message, hint === undefined ? {} : { hint }));
  }
}

function isAnswer(message: unknown): message is Answer {
  return typeof message === 'object' && message !== null && 'number' in message;
}

function connectionLost(): Failure {
  return new Failure('E_IO', 'The supervisor of background processes ended, and they with it.', {
    hint: 'Start the process again.',
  });
}
