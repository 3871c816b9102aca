/**
 * A session as its connections share it. It outlives them: what is said while nobody is there, and what is under way,
 * is found again by who comes back.
 */
import type { Clock } from '../../host/ports.ts';
import type { Runtime } from '../../runtime-types.ts';
import type { Session } from '../../runtime/session.ts';
import type { Conversations } from '../conversations.ts';
import type { Role } from './admission.ts';
import type { Connection } from './connection.ts';
import type { Limits } from './limits.ts';
import { correlation, type Incoming, type Of, readMessage, type Trouble, trouble } from './messages.ts';
import type { KeptBudget } from './kept-budget.ts';
import { Outbox } from './outbox.ts';
import { Ide } from './ide.ts';
import type { Persons, Said } from './persons.ts';
import { Seat } from './seat.ts';
import type { Slots } from './slots.ts';
import { Talk } from './talk.ts';
import { ToolCalls } from './tool-calls.ts';

export interface ChannelParts {
  /** Held as long as the channel is open. */
  readonly runtime: Runtime;
  readonly session: Session;
  readonly clock: Clock;
  readonly slots: Slots;
  readonly limits: Limits;
  /** Of the whole server, as the slots are. */
  readonly kept: KeptBudget;
  readonly signal: AbortSignal;
  readonly persons: Persons;
  readonly conversations: Conversations;
}

export class Channel {
  readonly runtime: Runtime;
  readonly session: Session;
  readonly #clock: Clock;
  readonly #limits: Limits;
  readonly #seats: Readonly<Record<Role, Seat>>;
  readonly #calls: ToolCalls;
  readonly #ide: Ide;
  readonly #talk: Talk;
  readonly #persons: Persons;
  readonly #seen = new Set<string>();
  #idleSince: number;

  constructor(parts: ChannelParts) {
    const { runtime, session, clock, limits, kept } = parts;
    this.runtime = runtime;
    this.session = session;
    this.#clock = clock;
    this.#limits = limits;
    this.#persons = parts.persons;
    this.#idleSince = clock.monotonic();
    const seat = (): Seat => new Seat(new Outbox(clock.now(), limits, kept), kept);
    this.#seats = { client: seat(), ide: seat() };
    this.#ide = new Ide(this.#seats.ide, limits);
    const toPersons =
      (how: { readonly isKept: boolean }) =>
      (message: object): void =>
        Object.values(this.#seats).forEach((one) => one.tellPersons(message, how));
    this.#talk = new Talk({
      ...parts,
      send: toPersons({ isKept: true }),
      tell: toPersons({ isKept: false }),
    });
    const { client } = this.#seats;
    const send = (message: object): void => client.send(message);
    this.#calls = new ToolCalls({ ...parts, send, room: () => client.room() });
  }

  /** Since when nobody was here and nothing is under way; undefined while somebody is, or something. */
  get idleSince(): number | undefined {
    const isUsed = Object.values(this.#seats).some(({ isTaken }) => isTaken) || this.#calls.isBusy;
    return isUsed ? undefined : this.#idleSince;
  }

  enter(connection: Connection, after: number | undefined): void {
    const seat = this.#seats[connection.role];
    const tell = (message: object): void => connection.send(seat.outbox.number(message));
    const leave = connection.isPerson ? this.#persons.enter(this.session, tell) : () => undefined;
    connection.listen(
      (text) => this.#hear(connection, text),
      () => {
        leave();
        seat.leave(connection);
        if (connection.role === 'ide') this.#ide.left();
        this.#idleSince = this.#clock.monotonic();
      },
    );
    if (connection.role === 'client') seat.enter(connection, after);
    else this.#ide.enter(connection, after);
    // From here on nothing of the session runs here, also while the IDE is away.
    if (connection.role === 'ide') this.session.runElsewhere ??= (call) => this.#ide.run(call);
  }

  /** Waits for what is under way, which the signal has ended. */
  async end(): Promise<void> {
    await this.#calls.settled();
    for (const { outbox } of Object.values(this.#seats)) outbox.clear();
    await this.runtime[Symbol.asyncDispose]();
  }

  #hear(connection: Connection, text: string | undefined): void {
    const { outbox } = this.#seats[connection.role];
    const message =
      text === undefined ? trouble('INVALID_FORMAT', 'Send text: bytes are no message.') : readMessage(text);
    // Sending is what cost something; to say so must not cost more than that.
    if (message.type === 'error') return connection.send(outbox.number(message));
    if (message.message_id !== undefined) {
      connection.send(JSON.stringify({ type: 'ack', status: 'received', message_id: message.message_id }));
      if (!this.#isFresh(connection, message.message_id)) return;
    }
    this.#take(connection, message, text!.length);
  }

  #take(connection: Connection, message: Incoming, bytes: number): void {
    const seat = this.#seats[connection.role];
    const { role } = connection;
    if (message.type === 'ack') return seat.outbox.acknowledge(message.seq);
    if (message.type === 'tool_call' && role === 'client') return this.#calls.make(message, bytes);
    if (message.type === 'hitl_decision') {
      const { modified_arguments: given, ...decision } = message;
      return this.#asPerson(connection, message, () =>
        this.#persons.answer(this.session, { ...decision, given }),
      );
    }
    if (message.type === 'user_message')
      return this.#asPerson(connection, message, () => this.#talk.say(message));
    if (message.type === 'switch_agent')
      return this.#asPerson(connection, message, () => this.#talk.switchAgent(message));
    if (message.type === 'tool_result' && role === 'ide' && this.#ide.settle(message)) return undefined;
    if (message.type === 'tool_result' && connection.isPerson)
      return this.#asPerson(connection, message, () => this.#persons.answer(this.session, toSaid(message)));
    if (message.type === 'tool_result' && role === 'ide')
      return seat.send(trouble('INVALID_CALL_ID', 'No such call waits for a result.', correlation(message)));
    const wrong = `An ${role} does not send ${message.type}.`;
    seat.send(trouble('UNSUPPORTED', wrong, correlation(message)));
  }

  /** Only a person decides, and talks to the agent: what only makes calls must not allow them. */
  #asPerson(connection: Connection, message: Incoming, work: () => Promise<Trouble | undefined>): void {
    const refused = trouble(
      'UNAUTHORIZED',
      'This is for a person: connect with the approval key.',
      correlation(message),
    );
    const failed = trouble('INTERNAL_ERROR', 'Handrail could not do this.', correlation(message));
    const done = connection.isPerson ? work().catch(() => failed) : Promise.resolve(refused);
    void done.then((wrong) => wrong && this.#seats[connection.role].send(wrong));
  }

  /** Whether a message comes for the first time; nobody uses up what a person will call one. */
  #isFresh({ isPerson }: Connection, messageId: string): boolean {
    const id = JSON.stringify([isPerson, messageId]);
    if (this.#seen.has(id)) return false;
    this.#seen.add(id);
    const [oldest] = this.#seen;
    if (this.#seen.size > this.#limits.seenMessages) this.#seen.delete(oldest!);
    return true;
  }
}

/** A question of the agent may be answered as its tool is: by a result. */
function toSaid({ call_id, message_id, result: given, error }: Of<'tool_result'>): Said {
  const head = { call_id, message_id };
  return error === undefined
    ? { ...head, decision: 'approve', given }
    : { ...head, decision: 'reject', feedback: error.message };
}
