/**
 * The supervisor: a process that watches over others which outlive the call that started them. It is spoken to over a
 * socket; a connection that ends takes with it what it started and did not keep. With the supervisor everything ends.
 */
import { createServer, type Server, type Socket } from 'node:net';
import { Failure, toFailure } from '../../../failure.ts';
import type { BackgroundProcess, Clock, ProcessRecords, ProcessTable, StateDirectory } from '../../ports.ts';
import { forwardPort } from './forwarding.ts';
import { messageLines, type MessageLines } from './message-lines.ts';
import { folderOf } from './process-log.ts';
import { type Answer, type CallName, type Calls, PROTOCOL, type Request, type Told } from './protocol.ts';
import { SessionNetworks } from './session-networks.ts';
import { settleProcesses } from './settle.ts';
import { type SupervisedProcess, superviseProcess } from './supervised-process.ts';
import { socketFolder } from './supervisor-socket.ts';
import { waitFor } from './wait-for.ts';

export interface SupervisorParts {
  readonly state: StateDirectory;
  readonly records: ProcessRecords;
  readonly processes: ProcessTable;
  readonly clock: Clock;
  /** How long it stays with nothing to do. */
  readonly idleMs: number;
}

/** More in one session is a mistake, or worse. */
export const MAX_PROCESSES = 50;
/** What ended longer ago is forgotten, with its output. */
const KEPT_MS = 7 * 86_400_000;

interface Watched {
  readonly connection: Connection;
  readonly process: BackgroundProcess;
  readonly supervised: SupervisedProcess;
  readonly forwards: DisposableStack;
  /** Settles once its end is on record. */
  readonly done: Promise<void>;
}

interface Connection {
  readonly lines: MessageLines;
  readonly calls: Map<number, AbortController>;
  owner: string;
}

type Handlers = {
  readonly [Name in CallName]: (
    given: Calls[Name]['given'],
    connection: Connection,
    signal: AbortSignal,
  ) => Promise<Calls[Name]['answer']>;
};

/** Supervises until there is nothing to do, or the signal; false where another one does already. */
export async function supervise(
  parts: SupervisorParts,
  onReady: () => void,
  signal: AbortSignal,
): Promise<boolean> {
  const supervisor = new Supervisor(parts);
  using folder = socketFolder(parts.state);
  const name = `${process.pid}.sock`;
  await supervisor.listen(folder.path(name));
  const before = await parts.records.supervisor();
  const isTaken = before !== undefined && parts.processes.isAlive(before.owner);
  const place = { owner: parts.processes.self, socket: name };
  try {
    if (isTaken || !(await parts.records.supersede(before, place))) return false;
    folder.clear(name);
    await settleProcesses(parts);
    for (const id of await parts.records.forget(parts.clock.now() - KEPT_MS))
      parts.state.remove(folderOf(id));
    onReady();
    signal.addEventListener('abort', () => supervisor.end());
    if (signal.aborted) supervisor.end();
    await supervisor.ended;
    await parts.records.retire(place.owner);
    return true;
  } finally {
    await supervisor.close();
  }
}

class Supervisor {
  readonly #parts: SupervisorParts;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #networks = new SessionNetworks();
  readonly #watched = new Map<string, Watched>();
  /** Those that are about to start, too. */
  readonly #sessions = new Map<string, string>();
  readonly #end = Promise.withResolvers<void>();
  #idle: NodeJS.Timeout | undefined;

  constructor(parts: SupervisorParts) {
    this.#parts = parts;
    this.#server = createServer((socket) => this.#connect(socket));
  }

  get ended(): Promise<void> {
    return this.#end.promise;
  }

  async listen(path: string): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject).listen(path, resolve);
    });
    this.#restAWhile();
  }

  end(): void {
    this.#end.resolve();
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    this.#server.close();
    await Promise.all([...this.#watched.values()].map((watched) => this.#stop(watched, 'stopped')));
    for (const socket of this.#sockets) socket.destroy();
  }

  readonly #handlers: Handlers = {
    hello: async ({ owner }, connection) => {
      connection.owner = owner;
      return { protocol: PROTOCOL };
    },
    retire: async () => {
      if (this.#sessions.size === 0) this.end();
      return { processes: this.#sessions.size };
    },
    start: (given, connection) => this.#start(given, connection),
    write: async ({ id, text, isLast }) => {
      this.#find(id).supervised.write(text, isLast);
      return {};
    },
    resize: async ({ id, columns, rows }) => {
      this.#find(id).supervised.running.resize(columns, rows);
      return {};
    },
    stop: async ({ id }) => {
      await this.#stop(this.#find(id), 'stopped');
      return {};
    },
    wait: async ({ id, what, timeoutMs }, _connection, signal) =>
      waitFor(this.#parts.state, id, this.#find(id).supervised, what, timeoutMs, signal),
    forward: async ({ id, port }) => this.#forward(this.#find(id), port),
    leave: async ({ session }, connection) => {
      await this.#leave(connection, session);
      return {};
    },
    cancel: async ({ of }, connection) => {
      connection.calls.get(of)?.abort();
      return {};
    },
  };

  #connect(socket: Socket): void {
    clearTimeout(this.#idle);
    this.#sockets.add(socket);
    const connection: Connection = {
      lines: messageLines(socket, (message) => void this.#answer(message as Request, connection)),
      calls: new Map(),
      owner: '',
    };
    socket.once('close', () => {
      this.#sockets.delete(socket);
      for (const call of connection.calls.values()) call.abort();
      void this.#leave(connection, undefined).then(() => this.#restAWhile());
    });
  }

  async #answer({ number, name, given }: Request, connection: Connection): Promise<void> {
    const controller = new AbortController();
    connection.calls.set(number, controller);
    const send = (answer: Answer): void => connection.lines.send(answer);
    try {
      if (!Object.hasOwn(this.#handlers, name)) throw new Failure('E_UNSUPPORTED', 'No such call.');
      send({ number, answer: await this.#handlers[name](given, connection, controller.signal) });
    } catch (error) {
      const { code, message, hint } = toFailure(error, controller.signal);
      send({ number, failure: { code, message, hint } });
    } finally {
      connection.calls.delete(number);
    }
  }

  async #start(given: Calls['start']['given'], connection: Connection): Promise<BackgroundProcess> {
    const { records, clock, processes, state } = this.#parts;
    const { id, name, workspace, session, isKept, command, directory } = given;
    this.#refuseTooMany(given);
    this.#sessions.set(id, sessionOf(given));
    const facts = { id, name, workspace, session, isKept, command, directory };
    const asked = { ...facts, pid: undefined, tier: undefined, startedAt: clock.now() };
    const about = { process: id, session };
    const tell = (told: Told): void => connection.lines.send(told);
    try {
      await records.add(asked, connection.owner, processes.self);
      const supervised = await superviseProcess(given, {
        state,
        networks: this.#networks,
        now: () => clock.now(),
        onOutput: (bytes, position) => tell({ ...about, output: bytes.toString('base64'), position }),
      });
      const { pid, tier } = supervised.running;
      const { network } = supervised;
      const holder = network && processes.identityOf(network.pid);
      const joined = holder && `${holder} ${network.name}`;
      const process = { ...asked, pid, tier, ended: undefined };
      const forwards = new DisposableStack();
      const done = this.#whenEnded(supervised, forwards, about, tell);
      const watched = { connection, process, supervised, forwards, done };
      this.#watched.set(id, watched);
      await records.started(id, { pid, identity: processes.identityOf(pid) ?? '', tier, network: joined });
      // Its owner may have gone while it was started.
      if (!connection.lines.isOpen && !isKept) void this.#stop(watched, 'owner-gone');
      return process;
    } catch (error) {
      this.#sessions.delete(id);
      await records.drop(id);
      throw error;
    }
  }

  async #whenEnded(
    supervised: SupervisedProcess,
    forwards: DisposableStack,
    about: { readonly process: string; readonly session: string },
    tell: (told: Told) => void,
  ): Promise<void> {
    const ended = await supervised.ended;
    forwards.dispose();
    await this.#parts.records.ended(about.process, ended);
    this.#watched.delete(about.process);
    this.#sessions.delete(about.process);
    tell({ ...about, ended });
    this.#restAWhile();
  }

  async #stop({ supervised, done }: Watched, by: 'stopped' | 'owner-gone'): Promise<void> {
    await supervised.stop(by);
    await done;
  }

  async #leave(connection: Connection, session: string | undefined): Promise<void> {
    const left = [...this.#watched.values()].filter(
      (watched) =>
        watched.connection === connection &&
        !watched.process.isKept &&
        (session === undefined || watched.process.session === session),
    );
    await Promise.all(left.map((watched) => this.#stop(watched, 'owner-gone')));
  }

  async #forward({ supervised, forwards }: Watched, port: number): Promise<{ port: number }> {
    if (supervised.network === undefined) {
      throw new Failure('E_UNSUPPORTED', 'The process is not in a network of its own.', {
        hint: `Port ${port} is on this machine already, where the process listens to it.`,
      });
    }
    const forwarding = await forwardPort(supervised.network, port);
    if (forwards.disposed) forwarding[Symbol.dispose]();
    else forwards.use(forwarding);
    return { port: forwarding.port };
  }

  #find(id: string): Watched {
    const watched = this.#watched.get(id);
    if (watched !== undefined) return watched;
    throw new Failure('E_NOT_FOUND', `The process ${JSON.stringify(id)} does not run.`);
  }

  #refuseTooMany(given: Calls['start']['given']): void {
    const own = [...this.#sessions.values()].filter((session) => session === sessionOf(given));
    if (own.length < MAX_PROCESSES) return;
    throw new Failure(
      'E_TOO_LARGE',
      `The session has ${MAX_PROCESSES} processes running, which is the limit.`,
      {
        hint: 'Stop some of them.',
      },
    );
  }

  #restAWhile(): void {
    clearTimeout(this.#idle);
    if (this.#sockets.size > 0 || this.#sessions.size > 0) return;
    this.#idle = setTimeout(() => this.end(), this.#parts.idleMs);
  }
}

function sessionOf({ workspace, session }: { readonly workspace: string; readonly session: string }): string {
  return JSON.stringify([workspace, session]);
}
