/** The connections of a session in one role: what is said to them, to all alike, and kept for who comes back. */
import type { Connection } from './connection.ts';
import type { KeptBudget } from './kept-budget.ts';
import { trouble } from './messages.ts';
import type { Outbox } from './outbox.ts';

export class Seat {
  readonly outbox: Outbox;
  readonly #budget: KeptBudget;
  readonly #connections = new Set<Connection>();

  constructor(outbox: Outbox, budget: KeptBudget) {
    this.outbox = outbox;
    this.#budget = budget;
  }

  get isTaken(): boolean {
    return this.#connections.size > 0;
  }

  /** Waits while there is somebody, and nobody who keeps up. */
  async room(): Promise<void> {
    // One that keeps up has room at once.
    const rooms = [...this.#connections].map(async ({ room }) => room);
    if (rooms.length > 0) await Promise.race(rooms);
  }

  /** Lets a connection in; one that comes back is sent what it lacks. Says whether it has all there was. */
  enter(connection: Connection, after: number | undefined): boolean {
    this.#connections.add(connection);
    this.#budget.enter(this.outbox);
    if (after === undefined) return false;
    const { texts, isWhole } = this.outbox.after(after, connection);
    if (!isWhole) connection.send(this.outbox.number(MISSED));
    for (const text of texts) connection.send(text);
    return isWhole;
  }

  /** Closes all who are here. */
  clear(code: number, reason: string): void {
    for (const connection of this.#connections) connection.close(code, reason);
    this.#connections.clear();
  }

  leave(connection: Connection): void {
    this.#connections.delete(connection);
    if (!this.isTaken) this.#budget.leave(this.outbox);
  }

  send(message: object): void {
    const text = this.outbox.add(message);
    for (const connection of this.#connections) connection.send(text);
  }

  /** Tells the persons here; keeps it where it is not said again later. */
  tellPersons(message: object, { isKept }: { readonly isKept: boolean }): void {
    const text = isKept ? this.outbox.add(message, { isPersonal: true }) : this.outbox.number(message);
    for (const connection of this.#connections) if (connection.isPerson) connection.send(text);
  }
}

const MISSED = trouble(
  'MISSED',
  'Not everything after that number is kept any more. Send calls without a result again: the same call_id gets the same result, and nothing runs twice.',
);
