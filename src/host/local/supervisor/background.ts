/** The background processes of a workspace, as a runtime has them: what is on record, and a supervisor for the rest. */
import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '../../../failure.ts';
import type { BackgroundProcesses, Ids, ProcessEvent, SessionNetwork, StateDirectory } from '../../ports.ts';
import { relevantEnvironment } from '../sandbox/environment.ts';
import { readLog } from './process-log.ts';
import { PROTOCOL, type StartGiven, type Told } from './protocol.ts';
import { settleProcesses, type SettleParts } from './settle.ts';
import { startSupervisor } from './start-supervisor.ts';
import { SupervisorClient } from './supervisor-client.ts';
import { socketFolder } from './supervisor-socket.ts';
import { afterItsEnd } from './wait-for.ts';

export interface BackgroundParts extends SettleParts {
  readonly state: StateDirectory;
  readonly ids: Ids;
  readonly workspace: string;
  readonly surroundings: StartGiven['surroundings'];
  /** What starts a supervisor: a program and its arguments. */
  readonly program: readonly string[];
  readonly onEvent: (event: ProcessEvent) => void;
}

/** One that was told to make room needs a moment; so does one that starts beside another. */
const ATTEMPTS = 5;
const SETTLE_EVERY_MS = 20;
const SETTLE_MS = 5_000;

/** Disposing it ends what it started and did not keep. */
export function localBackground(parts: BackgroundParts): BackgroundProcesses & AsyncDisposable {
  const { records, processes, state, workspace } = parts;
  const own = new Map<string, string>();
  let client: Promise<SupervisorClient | undefined> | undefined;

  const onTold = (told: Told): void => {
    const { process, session } = told;
    if ('ended' in told) {
      own.delete(process);
      parts.onEvent({ type: 'ended', process, session, ended: told.ended });
    } else {
      const bytes = Buffer.from(told.output, 'base64');
      parts.onEvent({ type: 'output', process, session, bytes, position: told.position });
    }
  };
  let settling: Promise<void> | undefined;
  const onClosed = async (supervisor: string): Promise<void> => {
    client = undefined;
    if (own.size === 0) return;
    // Its socket is closed before it is gone.
    for (let waited = 0; waited < SETTLE_MS && processes.isAlive(supervisor); waited += SETTLE_EVERY_MS)
      await pause(SETTLE_EVERY_MS);
    await settleProcesses(parts);
    for (const { id, session, ended } of await records.list(workspace))
      if (ended !== undefined && own.delete(id))
        parts.onEvent({ type: 'ended', process: id, session, ended });
  };
  const open = async (isStarting: boolean): Promise<SupervisorClient | undefined> => {
    try {
      const connected = await connectTo(parts, onTold, isStarting);
      if (connected === undefined) client = undefined;
      void connected?.closed.then(() => {
        settling = onClosed(connected.supervisor);
        return settling;
      });
      return connected;
    } catch (error) {
      client = undefined;
      throw error;
    }
  };
  // One connection for all who ask at once: what one of them did not start, its end would not end.
  const reach = async (isStarting: boolean): Promise<SupervisorClient | undefined> => {
    const known = await (client ??= open(isStarting));
    return known === undefined && isStarting ? (client ??= open(true)) : known;
  };
  const running = async (id: string): Promise<SupervisorClient> => {
    const found = await reach(false);
    if (found === undefined) throw notRunning(id);
    return found;
  };

  return {
    get isBusy() {
      return own.size > 0;
    },
    async start(request) {
      const id = parts.ids.next('proc');
      const environment = relevantEnvironment(parts.surroundings.environment);
      const surroundings = { ...parts.surroundings, environment };
      const supervisor = (await reach(true))!;
      own.set(id, request.session);
      try {
        return await supervisor.call('start', { ...request, id, workspace, surroundings });
      } catch (error) {
        own.delete(id);
        throw error;
      }
    },
    list: () => records.list(workspace),
    read: (id, position, maxBytes) => readLog(state, id, position, maxBytes),
    wait: async (id, what, timeoutMs, signal) => {
      const found = await reach(false);
      try {
        if (found !== undefined) return await found.call('wait', { id, what, timeoutMs }, signal);
      } catch (error) {
        if (!(error instanceof Failure && error.code === 'E_NOT_FOUND')) throw error;
      }
      return afterItsEnd(state, id, what);
    },
    write: async (id, text, isLast) => void (await (await running(id)).call('write', { id, text, isLast })),
    resize: async (id, columns, rows) =>
      void (await (await running(id)).call('resize', { id, columns, rows })),
    stop: async (id) => void (await (await running(id)).call('stop', { id })),
    forward: async (id, port) => (await (await running(id)).call('forward', { id, port })).port,
    async network(session): Promise<SessionNetwork | undefined> {
      const [holder = '', name = ''] = (await records.network(workspace, session))?.split(' ') ?? [];
      return name !== '' && processes.isAlive(holder) ? { pid: processes.pidOf(holder), name } : undefined;
    },
    async endSession(session) {
      if ([...own.values()].includes(session)) await (await reach(false))?.call('leave', { session });
    },
    async [Symbol.asyncDispose]() {
      const connected = await client?.catch(() => undefined);
      if (own.size > 0) await connected?.call('leave', {}).catch(() => undefined);
      own.clear();
      connected?.close();
      await connected?.closed;
      await settling;
    },
  };
}

/** The supervisor that there is; another one where it may be started. */
async function connectTo(
  parts: BackgroundParts,
  onTold: (told: Told) => void,
  isStarting: boolean,
): Promise<SupervisorClient | undefined> {
  using folder = socketFolder(parts.state);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const place = await parts.records.supervisor();
    const isThere = place !== undefined && parts.processes.isAlive(place.owner);
    const client = isThere
      ? await SupervisorClient.to(folder.path(place.socket), place.owner, onTold).catch(() => undefined)
      : undefined;
    if (client !== undefined && (await isUnderstood(client, parts.processes.self))) return client;
    if (!isStarting) return undefined;
    await startSupervisor(parts.program);
  }
  throw new Failure('E_EXEC', 'The supervisor of background processes could not be started.', {
    hint: '`handrail doctor` says what Handrail needs.',
  });
}

/** Whether it speaks as this Handrail does. One that does not, and has nothing to watch over, makes room. */
async function isUnderstood(client: SupervisorClient, owner: string): Promise<boolean> {
  const { protocol } = await client.call('hello', { owner }).catch(() => ({ protocol: undefined }));
  // It was about to end.
  if (protocol === undefined) return false;
  if (protocol === PROTOCOL) return true;
  const { processes } = await client.call('retire', {});
  if (processes === 0) {
    await client.gone();
    return false;
  }
  client.close();
  throw new Failure(
    'E_UNSUPPORTED',
    `Another version of Handrail watches over ${processes} background processes.`,
    { hint: 'Stop them with that version (`handrail stop --all`), then try again.' },
  );
}

function notRunning(id: string): Failure {
  return new Failure('E_NOT_FOUND', `The process ${JSON.stringify(id)} does not run.`);
}
