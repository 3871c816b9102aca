/**
 * One socket. A reader that is too slow is not read from either, so that it asks for no more; where that does not help
 * it is closed, and what it lacks is kept for its return. One that does not answer pings is gone.
 */
import { WebSocket } from 'ws';
import type { Role } from './admission.ts';

export interface ConnectionLimits {
  /** With more on its way out, nothing is read. */
  readonly pauseBytes: number;
  /** With more, it is closed. */
  readonly closeBytes: number;
}

export interface ConnectionOptions {
  readonly role: Role;
  /** Whether it came with the approval key. */
  readonly isPerson: boolean;
  readonly limits: ConnectionLimits;
  readonly count: CountMessage;
}

export type CountMessage = (direction: 'in' | 'out') => void;

const TOO_BIG = 1009;
const TRY_AGAIN_LATER = 1013;
/** Pings without an answer, and beats without room, until a connection is given up. */
const PATIENCE = 2;

/** Says why, also where the library closes by itself. */
export class ReasonedSocket extends WebSocket {
  override close(code?: number, reason?: string | Buffer): void {
    super.close(code, reason ?? (code === TOO_BIG ? 'A message may have 10 MB.' : undefined));
  }
}

export class Connection {
  readonly role: Role;
  readonly isPerson: boolean;
  readonly #socket: WebSocket;
  readonly #limits: ConnectionLimits;
  readonly #count: CountMessage;
  /** While nothing is read from it. */
  #full: PromiseWithResolvers<void> | undefined;
  #unanswered = 0;
  #stuck = 0;

  constructor(socket: WebSocket, { role, isPerson, limits, count }: ConnectionOptions) {
    this.role = role;
    this.isPerson = isPerson;
    this.#socket = socket;
    this.#limits = limits;
    this.#count = count;
    socket.on('pong', () => (this.#unanswered = 0));
    // What is wrong with a socket is said by its close, which follows.
    socket.on('error', () => undefined);
  }

  listen(hear: (text: string | undefined) => void, gone: () => void): void {
    // Bytes are nobody's message here.
    this.#socket.on('message', (data: Buffer, isBinary) => {
      this.#count('in');
      hear(isBinary ? undefined : data.toString());
    });
    this.#socket.on('close', () => {
      this.#makeRoom();
      gone();
    });
  }

  send(text: string): void {
    const socket = this.#socket;
    if (socket.readyState !== WebSocket.OPEN) return;
    this.#count('out');
    socket.send(text, () => this.#sent());
    if (socket.bufferedAmount > this.#limits.closeBytes) this.#giveUp();
    else if (socket.bufferedAmount > this.#limits.pauseBytes) {
      this.#full ??= Promise.withResolvers();
      socket.pause();
    }
  }

  /** Until it reads what it was sent, or is gone; undefined where it keeps up. */
  get room(): Promise<void> | undefined {
    return this.#full?.promise;
  }

  close(code: number, reason: string): void {
    this.#makeRoom();
    // Who is not read from could not say goodbye.
    this.#socket.resume();
    this.#socket.close(code, reason);
  }

  terminate(): void {
    this.#socket.terminate();
  }

  /** A beat of the heart: asks for a sign of life. */
  beat(): void {
    // One that is being closed has its own time for that.
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    if (this.#socket.isPaused) {
      // Its pongs are not read.
      if (++this.#stuck > PATIENCE) this.#giveUp();
      return;
    }
    this.#stuck = 0;
    if (this.#unanswered >= PATIENCE) return this.terminate();
    this.#unanswered++;
    this.#socket.ping();
  }

  #sent(): void {
    if (!this.#socket.isPaused || this.#socket.bufferedAmount > this.#limits.pauseBytes) return;
    this.#socket.resume();
    this.#makeRoom();
  }

  #makeRoom(): void {
    this.#full?.resolve();
    this.#full = undefined;
  }

  #giveUp(): void {
    this.close(TRY_AGAIN_LATER, 'You read too slowly: come back with ?after= and the last seq you have.');
  }
}
