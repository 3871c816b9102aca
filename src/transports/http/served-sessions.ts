/** The sessions of the API's clients, by workspace and id, while the server runs. Whoever knows an id is in its session: those that are made here can not be guessed. */
import { randomBytes } from 'node:crypto';
import { Failure } from '../../failure.ts';
import { type Mode, MODES } from '../../policy/decision.ts';
import { CallerLeft } from '../../runtime/question-desk.ts';
import type { Agent, Session } from '../../runtime/session.ts';
import type { Runtime } from '../../runtime-types.ts';
import type { SessionRows } from '../../store/sessions.ts';
import { type Leave, OpenWork } from '../open-work.ts';

export interface WantedSession {
  readonly id?: string | undefined;
  readonly dialect?: string | undefined;
  readonly mode?: Mode | undefined;
  readonly agent?: Agent | undefined;
}

export interface ServedSessionsParts {
  readonly leave: Leave;
  /** What was chosen for a session that was forgotten. */
  readonly chosen: SessionRows['chosen'];
}

/** The session of calls that name none; it has the same id after a restart, so that they too can be sent again. */
const NAMELESS = 'api';
const MAX_SESSIONS = 2_000;

export class ServedSessions extends OpenWork {
  readonly #leave: Leave;
  readonly #chosen: SessionRows['chosen'];
  readonly #stop = new AbortController();

  constructor({ leave, chosen }: ServedSessionsParts, maxSessions = MAX_SESSIONS) {
    super(maxSessions);
    this.#leave = leave;
    this.#chosen = chosen;
  }

  has({ workspace, id }: Pick<Session, 'workspace' | 'id'>): boolean {
    return this.openUnder(keyOf(workspace, id)) !== undefined;
  }

  /** A session as it is wanted; one that is open is gone on with, where it is like that. */
  async open(runtime: Runtime, wanted: WantedSession, isPerson: boolean): Promise<Session> {
    refuseLooser(wanted, runtime, isPerson);
    const { id = newId(), dialect, mode, agent } = wanted;
    const workspace = runtime.workspace.root;
    const open = async (): Promise<Session> => {
      const before = (await this.#chosen({ id, workspace })) as Omit<WantedSession, 'id'>;
      const goesOnWith = agent ?? before.agent;
      return runtime.openSession({
        id,
        dialect: dialect ?? before.dialect,
        // What a person loosened is theirs to loosen again.
        mode: mode ?? (isLooser(before.mode, runtime) ? undefined : before.mode),
        ...(goesOnWith === undefined ? {} : { agent: goesOnWith }),
      });
    };
    const session = fitting(await this.use(keyOf(workspace, id), open, this.#leave), wanted);
    // Anybody can name the one that calls of persons are in which name none; others a person opened to be used.
    if (id.startsWith(NAMELESS)) refuseLooser(session, runtime, isPerson);
    return session;
  }

  /** The session of a call. */
  ofCall(runtime: Runtime, { session, dialect, mode }: CallWords, isPerson: boolean): Promise<Session> {
    const id = session ?? namelessId(dialect, mode);
    return this.open(runtime, { id, dialect, mode }, isPerson);
  }

  /** One that is open here. */
  find(runtime: Runtime, id = NAMELESS): Promise<Session> | undefined {
    return this.openUnder(keyOf(runtime.workspace.root, id));
  }

  /** Fires when the server stops, for calls that can be sent again: what is asked about them stays open for that. */
  get stopped(): AbortSignal {
    return this.#stop.signal;
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort(new CallerLeft());
    await super[Symbol.asyncDispose]();
  }

  /** Ends what goes on in one, and what was granted in it; false where it is not open here. */
  async close(runtime: Runtime, id: string): Promise<boolean> {
    const session = await this.find(runtime, id);
    if (session === undefined) return false;
    await this.forget(keyOf(runtime.workspace.root, id));
    await runtime.closeSession(session);
    return true;
  }
}

interface CallWords {
  readonly session?: string | undefined;
  readonly dialect?: string | undefined;
  readonly mode?: Mode | undefined;
}

/** All clients have the same token: what keeps them apart is that none can guess the session of another. */
function newId(): string {
  return `ses_${randomBytes(16).toString('hex')}`;
}

function namelessId(...words: readonly (string | undefined)[]): string {
  return [NAMELESS, ...words.filter((word) => word !== undefined)].join('-');
}

function keyOf(workspace: string, id: string): string {
  return JSON.stringify([workspace, id]);
}

/** How much is asked is the person's to loosen. */
function refuseLooser({ mode }: Pick<WantedSession, 'mode'>, runtime: Runtime, isPerson: boolean): void {
  if (isPerson || !isLooser(mode, runtime)) return;
  throw new Failure('E_DENIED', `The mode ${mode} asks less than ${usualMode(runtime)}, which holds here.`, {
    hint: 'Only a person chooses it, with the approval key.',
  });
}

function isLooser(mode: Mode | undefined, runtime: Runtime): boolean {
  return mode !== undefined && MODES.indexOf(mode) > MODES.indexOf(usualMode(runtime));
}

function usualMode(runtime: Runtime): Mode {
  return runtime.policyFor(runtime.dialect)!.mode;
}

function fitting(session: Session, { dialect, mode }: WantedSession): Session {
  const isOther =
    (dialect !== undefined && dialect !== session.dialect.name) ||
    (mode !== undefined && mode !== session.mode);
  if (!isOther) return session;
  throw new Failure(
    'E_CONFLICT',
    `The session ${session.id} is open with the dialect ${session.dialect.name} in mode ${session.mode}.`,
    { hint: 'Close it first, or use another one.' },
  );
}
