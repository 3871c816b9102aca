/**
 * The WebSocket: who may connect is said by the gate and the route of a plain request, before the upgrade; then a
 * socket becomes a connection of its session's channel.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Context } from 'hono';
import { type WebSocket, WebSocketServer } from 'ws';
import { Failure, toFailure } from '../../failure.ts';
import type { Clock } from '../../host/ports.ts';
import type { Runtime } from '../../runtime-types.ts';
import type { Session } from '../../runtime/session.ts';
import { lent } from '../../runtime-pool.ts';
import { CallerLeft } from '../../runtime/question-desk.ts';
import type { Conversations } from '../conversations.ts';
import type { Leave } from '../open-work.ts';
import type { Feed } from '../http/event-feed.ts';
import type { Presence } from '../http/presence.ts';
import type { Records } from '../http/records.ts';
import { readWanted, type Wanted } from './admission.ts';
import { Channel } from './channel.ts';
import { Connection, type CountMessage, ReasonedSocket } from './connection.ts';
import { KeptBudget } from './kept-budget.ts';
import { type Limits, LIMITS } from './limits.ts';
import { Persons } from './persons.ts';
import { answerPlainly, toPlainRequest } from './plain-http.ts';
import { Slots } from './slots.ts';

export interface WebSocketOptions {
  readonly runtime: Runtime;
  readonly clock: Clock;
  readonly presence: Presence;
  readonly feed: Feed;
  readonly conversations: Conversations;
  readonly records: Pick<Records, 'approvals'>;
  /** Told of a session that can not be gone on with any more. */
  readonly leave: Leave;
  readonly limits?: Partial<Limits> | undefined;
  /** Told of every message. */
  readonly count: CountMessage;
}

/** A request that may become a connection. */
interface Ticket {
  admitted?: Wanted & { readonly channel: Channel; readonly isPerson: boolean };
}

/** What clients in browsers offer beside the approval key, since one offered name has to be taken. */
const PROTOCOL = 'handrail';
const GOING_AWAY = 1001;
const ENTERING_MS = 10_000;

export class WebSocketEndpoint implements AsyncDisposable {
  readonly #options: WebSocketOptions;
  readonly #limits: Limits;
  readonly #server: WebSocketServer;
  readonly #slots: Slots;
  readonly #kept: KeptBudget;
  readonly #persons: Persons;
  readonly #tickets = new WeakMap<Request, Ticket>();
  readonly #channels = new Map<string, Promise<Channel>>();
  readonly #connections = new Set<Connection>();
  readonly #end = new AbortController();
  readonly #heart: NodeJS.Timeout;

  constructor(options: WebSocketOptions) {
    this.#options = options;
    this.#limits = { ...LIMITS, ...options.limits };
    this.#slots = new Slots(this.#limits.allAtOnce);
    this.#kept = new KeptBudget(this.#limits.allKeptBytes);
    const { runtime, feed, records } = options;
    this.#persons = new Persons({ runtime, feed, approvals: records.approvals });
    this.#server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: this.#limits.messageBytes,
      WebSocket: ReasonedSocket,
      handleProtocols: (offered) => offered.has(PROTOCOL) && PROTOCOL,
    });
    this.#heart = setInterval(() => void this.#beat(), this.#limits.heartbeatMs).unref();
  }

  get openConnections(): number {
    return this.#connections.size;
  }

  /** Those that can be gone on with, too. */
  get openSessions(): number {
    return this.#channels.size;
  }

  has({ workspace, id }: Pick<Session, 'workspace' | 'id'>): boolean {
    return this.#channels.has(keyOf(workspace, id));
  }

  /** How much is kept for who comes back, in characters. */
  get kept(): number {
    return this.#kept.size;
  }

  /** Asks the routes about a request to upgrade, as about any other; and does it, or gives their answer. */
  async upgrade(
    incoming: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    fetch: (request: Request) => Response | Promise<Response>,
  ): Promise<void> {
    // One that goes away meanwhile is nobody's trouble.
    socket.on('error', () => undefined);
    const request = toPlainRequest(incoming);
    if (request === undefined)
      return answerPlainly(socket, new Response('There is nothing here.\n', { status: 404 }));
    const ticket: Ticket = {};
    this.#tickets.set(request, ticket);
    const response = await fetch(request);
    if (ticket.admitted === undefined || this.#end.signal.aborted) return answerPlainly(socket, response);
    const { admitted } = ticket;
    if (admitted.isPerson) await this.#bePresent(socket);
    this.#server.handleUpgrade(incoming, socket, head, (opened) => this.#connect(opened, admitted));
  }

  /** The route: behind the gate, it says whether the request may become a connection. */
  async admit(context: Context, isPerson: boolean): Promise<Response> {
    const wanted = readWanted(context.req.param('session')!, context.req.query());
    if (typeof wanted === 'string') return context.text(`${wanted}\n`, 400);
    if (this.#connections.size >= this.#limits.connections)
      return context.text('Too many connections are open.\n', 503);
    try {
      const channel = await this.#channel(wanted);
      const ticket = this.#tickets.get(context.req.raw);
      // A client that was refused asks so why: a WebSocket does not tell it.
      if (ticket === undefined) return context.text('This is a WebSocket.\n', 426, { upgrade: 'websocket' });
      ticket.admitted = { ...wanted, isPerson, channel };
      return context.body(null, 204);
    } catch (error) {
      const { code, message } = toFailure(error);
      return context.text(`${message}\n`, code === 'E_NO_PROJECT' ? 404 : 409);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#heart);
    // Who comes back sends what had no answer again; questions wait for that.
    this.#end.abort(new CallerLeft());
    for (const connection of this.#connections) connection.close(GOING_AWAY, 'The server stops.');
    const channels = await Promise.allSettled(this.#channels.values());
    const opened = channels.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    await Promise.allSettled(opened.map((channel) => channel.end()));
    for (const connection of this.#connections) connection.terminate();
    await this.#persons[Symbol.asyncDispose]();
  }

  #connect(socket: WebSocket, { channel, role, isPerson, after }: NonNullable<Ticket['admitted']>): void {
    const connection = new Connection(socket, {
      role,
      isPerson,
      limits: this.#limits,
      count: this.#options.count,
    });
    this.#connections.add(connection);
    socket.on('close', () => this.#connections.delete(connection));
    channel.enter(connection, after);
  }

  /** As long as the socket of a person is open, somebody is there to answer; already when its first message comes. */
  async #bePresent(socket: Duplex): Promise<void> {
    const { presence } = this.#options;
    const leave = presence.enter();
    if (socket.destroyed) leave();
    socket.on('close', leave);
    await presence.settled();
  }

  /** The channel of a session, which is opened by the first who comes. */
  async #channel({ session, project, dialect }: Wanted): Promise<Channel> {
    const own = this.#options.runtime;
    await using held = new AsyncDisposableStack();
    const runtime = held.use(project === undefined ? lent(own, () => undefined) : await own.project(project));
    const key = keyOf(runtime.workspace.root, session);
    if (!this.#channels.has(key)) await this.#makeRoom();
    // Another one who came at the same moment may have opened it since.
    const known = this.#channels.get(key);
    if (known !== undefined) return spoken(await known, dialect);
    const opening = this.#open(runtime, session, dialect);
    this.#channels.set(key, opening);
    opening.catch(() => this.#channels.delete(key));
    const channel = await opening;
    held.move();
    return channel;
  }

  async #open(runtime: Runtime, id: string, dialect = 'codelab'): Promise<Channel> {
    return new Channel({
      ...this.#options,
      runtime,
      session: await runtime.openSession({ id, dialect }),
      slots: this.#slots,
      limits: this.#limits,
      kept: this.#kept,
      signal: this.#end.signal,
      persons: this.#persons,
    });
  }

  async #beat(): Promise<void> {
    for (const connection of this.#connections) connection.beat();
    await this.#forget(this.#options.clock.monotonic() - this.#limits.idleMs);
  }

  /** The one that is idle for longest makes room. */
  async #makeRoom(): Promise<void> {
    const now = this.#options.clock.monotonic();
    // Not one that somebody is about to enter.
    if (this.#channels.size >= this.#limits.channels) await this.#forget(now - ENTERING_MS, 1);
    if (this.#channels.size >= this.#limits.channels)
      throw new Failure('E_TOO_LARGE', 'Too many sessions are in use.');
  }

  async #forget(before: number, count = Infinity): Promise<void> {
    for (const [key, opening] of this.#channels) {
      if (count === 0) return;
      const channel = await opening.catch(() => undefined);
      if (channel?.idleSince === undefined || channel.idleSince > before) continue;
      this.#channels.delete(key);
      count--;
      await channel.end();
      await this.#options.leave(channel.session);
    }
  }
}

function keyOf(workspace: string, session: string): string {
  return JSON.stringify([workspace, session]);
}

/** A session speaks one dialect. */
function spoken(channel: Channel, dialect: string | undefined): Channel {
  const { id, dialect: own } = channel.session;
  if (dialect === undefined || dialect === own.name) return channel;
  throw new Failure('E_CONFLICT', `The session ${id} speaks ${own.name}.`);
}
