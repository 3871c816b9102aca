/**
 * Calls of transports that resume. The same id with the same arguments gives the recorded answer and runs
 * nothing; with other arguments it is a conflict. Exact answers live in memory; the store keeps those without secrets.
 */
import { hash } from 'node:crypto';
import { Failure } from '../failure.ts';
import type { Clock } from '../host/ports.ts';
import type { Database } from './store.ts';

const KEPT_MS = 24 * 60 * 60 * 1000;
const IN_MEMORY = 1_000;

export interface RecordedCallsOptions {
  readonly database: Database;
  readonly workspace: string;
  readonly clock: Clock;
  /** Whether a text holds nothing that must not be written down. */
  readonly isHarmless: (text: string) => boolean;
}

interface Running<Answer> {
  readonly requestHash: string;
  readonly answer: Promise<Answer>;
}

export class RecordedCalls<Answer> {
  readonly #options: RecordedCallsOptions;
  readonly #known = new Map<string, Running<Answer>>();

  constructor(options: RecordedCallsOptions) {
    this.#options = options;
  }

  /** Runs a call once; `request` is what makes it the same call. A repetition gets the same answer. Throws a conflict where it can't be given. */
  async once(session: string, id: string, request: unknown, run: () => Promise<Answer>): Promise<Answer> {
    const key = JSON.stringify([session, id]);
    const requestHash = hash('sha256', canonical(request));
    const known = this.#known.get(key);
    if (known !== undefined) {
      if (known.requestHash !== requestHash) throw otherCall(id);
      return known.answer;
    }
    const answer = this.#claimAndRun(session, id, requestHash, run);
    this.#remember(key, { requestHash, answer });
    // A refusal is no answer: the call with the right arguments may still come.
    answer.catch(() => this.#known.delete(key));
    return answer;
  }

  async #claimAndRun(
    session: string,
    id: string,
    requestHash: string,
    run: () => Promise<Answer>,
  ): Promise<Answer> {
    const { database, workspace, clock } = this.#options;
    const at = clock.now();
    await database
      .deleteFrom('recorded_calls')
      .where('at', '<', at - KEPT_MS)
      .execute();
    const claimed = await database
      .insertInto('recorded_calls')
      .values({ workspace, session, tool_call_id: id, request_hash: requestHash, answer: null, at })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (claimed.numInsertedOrUpdatedRows !== 1n) return this.#recorded(session, id, requestHash);
    const answer = await run();
    await this.#keep(session, id, answer);
    return answer;
  }

  /** The call has run: that its answer can't be kept must not turn it into a failure. */
  async #keep(session: string, id: string, answer: Answer): Promise<void> {
    const text = JSON.stringify(answer);
    try {
      await this.#options.database
        .updateTable('recorded_calls')
        .set({ answer: this.#options.isHarmless(text) ? text : null, ended: 1 })
        .where('workspace', '=', this.#options.workspace)
        .where('session', '=', session)
        .where('tool_call_id', '=', id)
        .execute();
    } catch {
      // A repetition finds it in memory, or is told that the answer is not held.
    }
  }

  async #recorded(session: string, id: string, requestHash: string): Promise<Answer> {
    const row = await this.#options.database
      .selectFrom('recorded_calls')
      .selectAll()
      .where('workspace', '=', this.#options.workspace)
      .where('session', '=', session)
      .where('tool_call_id', '=', id)
      .executeTakeFirstOrThrow();
    if (row.request_hash !== requestHash) throw otherCall(id);
    if (row.answer !== null) return JSON.parse(row.answer) as Answer;
    const why =
      row.ended === 1
        ? 'has run, but its answer is no longer held'
        : 'is running elsewhere, or was interrupted';
    throw new Failure('E_CONFLICT', `The call ${JSON.stringify(id)} ${why}.`, {
      hint: 'It is not run a second time. Look at what it did, and use a new id to call again.',
    });
  }

  #remember(key: string, running: Running<Answer>): void {
    this.#known.set(key, running);
    const oldest = this.#known.keys().next();
    if (this.#known.size > IN_MEMORY && !oldest.done) this.#known.delete(oldest.value);
  }
}

function otherCall(id: string): Failure {
  return new Failure(
    'E_CONFLICT',
    `The call id ${JSON.stringify(id)} was used for another call in this session.`,
    {
      hint: 'Give every call an id of its own.',
    },
  );
}

/** JSON with the keys of every object in order: how a client writes a call must not make it another one. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}
