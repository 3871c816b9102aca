/**
 * The IDE of a session, which runs its calls. There is one at a time. While it is away its calls wait for it for a
 * while, and are told to it again: it knows a call that it has run by its id, and answers from its record.
 */
import { Failure } from '../../failure.ts';
import type { HandedCall } from '../../runtime/run-elsewhere.ts';
import type { Connection } from './connection.ts';
import type { Of } from './messages.ts';
import type { Seat } from './seat.ts';

export interface IdeLimits {
  readonly ideMs: number;
  readonly ideAwayMs: number;
}

interface Waiting {
  readonly message: object;
  readonly resolve: (result: unknown) => void;
  readonly reject: (failure: unknown) => void;
}

/** One of the codes that the protocol of WebSockets leaves to applications. */
const REPLACED = 4001;

export class Ide {
  readonly #seat: Seat;
  readonly #limits: IdeLimits;
  readonly #waiting = new Map<string, Waiting>();
  #away: NodeJS.Timeout | undefined;

  constructor(seat: Seat, limits: IdeLimits) {
    this.#seat = seat;
    this.#limits = limits;
  }

  /** Takes the place of the one before. */
  enter(connection: Connection, after: number | undefined): void {
    clearTimeout(this.#away);
    this.#away = undefined;
    this.#seat.clear(REPLACED, 'Another IDE runs the tools of this session now.');
    const hasAll = this.#seat.enter(connection, after);
    if (!hasAll) for (const { message } of this.#waiting.values()) this.#seat.send(message);
  }

  left(): void {
    if (!this.#seat.isTaken && this.#waiting.size > 0) this.#expect();
  }

  /** Hands a call over, and waits for its result. */
  async run({ id, tool: tool_name, args, signal }: HandedCall): Promise<unknown> {
    const message = { type: 'tool_call', call_id: id, tool_name, arguments: args, requires_approval: false };
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const late = setTimeout(() => reject(timeout('The IDE took too long.')), this.#limits.ideMs).unref();
    const end = (): void => reject(signal.reason);
    signal.addEventListener('abort', end, { once: true });
    this.#waiting.set(id, { message, resolve, reject });
    this.#seat.send(message);
    if (!this.#seat.isTaken) this.#expect();
    try {
      return await promise;
    } finally {
      clearTimeout(late);
      signal.removeEventListener('abort', end);
      this.#waiting.delete(id);
    }
  }

  /** Takes the result of a call; false where none of that id waits for one. */
  settle({ call_id, result, error }: Of<'tool_result'>): boolean {
    const waiting = this.#waiting.get(call_id);
    if (waiting === undefined) return false;
    if (error === undefined) waiting.resolve(result);
    else waiting.reject(new Failure('E_EXEC', error.message, { details: { ide: error.code } }));
    return true;
  }

  /** Gives up what waits where it does not come back in time. */
  #expect(): void {
    this.#away ??= setTimeout(() => {
      this.#away = undefined;
      for (const { reject } of this.#waiting.values())
        reject(timeout('The IDE that runs the tools of this session is not connected.'));
    }, this.#limits.ideAwayMs).unref();
  }
}

function timeout(message: string): Failure {
  return new Failure('E_TOOL_TIMEOUT', message, {
    hint: 'It may have run the call nevertheless: look before you call again.',
  });
}
