/**
 * Calls of transports that resume. The same id with the same arguments gives the recorded answer and runs
 * nothing; with other arguments it is a conflict. The store keeps answers without secrets, memory some of the others.
 * What was cut short before it began to change anything, such as a call that waited for a person, runs again.
 */
import { hash } from 'node:crypto';
import type { Selectable } from 'kysely';
import { Failure } from '../failure.ts';
import type { Clock } from '../host/ports.ts';
import { GroupedWrites } from './grouped-writes.ts';
import type { Database } from './store.ts';
import type { RecordedCalls as Table } from './tables.ts';

const KEPT_MS = 24 * 60 * 60 * 1000;
const FORGET_EVERY_MS = 60 * 60 * 1000;
const MAX_HELD = 1_000;

export interface RecordedCallsOptions<Answer> {
  readonly database: Database;
  readonly workspace: string;
  readonly clock: Clock;
  /** Whether a text holds nothing that must not be written down. */
  readonly isHarmless: (text: string) => boolean;
  /** Whether an answer counts where the call had not begun. */
  readonly isFinal: (answer: Answer) => boolean;
}

/** What a call does right before it may change something; fails where another one with its id has. */
export type Begin = () => Promise<void>;

type Row = Selectable<Table>;

interface Call {
  readonly session: string;
  readonly id: string;
  readonly requestHash: string;
}

interface EndedCall extends Call {
  readonly at: number;
  readonly answer: string | null;
}

interface Known<Answer> {
  readonly requestHash: string;
  readonly answer: Promise<Answer>;
}

export class RecordedCalls<Answer> {
  readonly #options: RecordedCallsOptions<Answer>;
  readonly #running = new Map<string, Known<Answer>>();
  /** Answers that could not be written down. */
  readonly #held = new Map<string, Known<Answer>>();
  readonly #ended = new GroupedWrites<EndedCall>((calls) => this.#write(calls));
  #forgetAt = 0;

  constructor(options: RecordedCallsOptions<Answer>) {
    this.#options = options;
  }

  /** Runs a call once; `request` is what makes it the same call. A repetition gets the same answer. Throws a conflict where it can't be given. */
  async once(
    session: string,
    id: string,
    request: unknown,
    run: (begin: Begin) => Promise<Answer>,
  ): Promise<Answer> {
    const key = JSON.stringify([session, id]);
    const requestHash = hash('sha256', canonical(request));
    const known = this.#running.get(key) ?? this.#held.get(key);
    if (known !== undefined) {
      if (known.requestHash !== requestHash) throw otherCall(id);
      return known.answer;
    }
    const call: Call = { session, id, requestHash };
    const answer = this.#find(call).then(async (row) => {
      if (row !== undefined) return JSON.parse(answerIn(row, call)) as Answer;
      let hasBegun = false;
      const given = await run(async () => {
        await this.#claim(call);
        hasBegun = true;
      });
      if (!hasBegun && !this.#options.isFinal(given)) return given;
      if (!(await this.#keep(call, given))) this.#hold(key, { requestHash, answer });
      return given;
    });
    this.#running.set(key, { requestHash, answer });
    const ended = (): boolean => this.#running.delete(key);
    answer.then(ended, ended);
    return answer;
  }

  async #find({ session, id }: Call): Promise<Row | undefined> {
    const { database, workspace, clock } = this.#options;
    return database
      .selectFrom('recorded_calls')
      .selectAll()
      .where('workspace', '=', workspace)
      .where('session', '=', session)
      .where('tool_call_id', '=', id)
      .where('at', '>=', clock.now() - KEPT_MS)
      .executeTakeFirst();
  }

  async #claim(call: Call): Promise<void> {
    if (await this.#insert(call)) return;
    const row = await this.#find(call);
    throw row === undefined || row.request_hash === call.requestHash ? elsewhere(call) : otherCall(call.id);
  }

  /** Whether the store has the answer now. The call has run: that it can't be kept must not turn it into a failure. */
  async #keep({ session, id, requestHash }: Call, answer: Answer): Promise<boolean> {
    const { clock, isHarmless } = this.#options;
    const text = JSON.stringify(answer);
    const kept = isHarmless(text) ? text : null;
    try {
      await this.#ended.add({ session, id, requestHash, at: clock.now(), answer: kept });
      return kept !== null;
    } catch {
      return false;
    }
  }

  async #write(calls: readonly EndedCall[]): Promise<void> {
    const { database, workspace, clock } = this.#options;
    await this.#forgetOld(clock.now());
    const rows = calls.map(({ session, id, requestHash, at, answer }) => ({
      workspace,
      session,
      tool_call_id: id,
      request_hash: requestHash,
      at,
      answer,
      ended: 1,
    }));
    await database
      .insertInto('recorded_calls')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['workspace', 'session', 'tool_call_id']).doUpdateSet((row) => ({
          request_hash: row.ref('excluded.request_hash'),
          at: row.ref('excluded.at'),
          answer: row.ref('excluded.answer'),
          ended: row.ref('excluded.ended'),
        })),
      )
      .execute();
  }

  /** False where there is a row for the call already that still counts. */
  async #insert({ session, id, requestHash }: Call): Promise<boolean> {
    const { database, workspace, clock } = this.#options;
    const at = clock.now();
    await this.#forgetOld(at);
    const row = { request_hash: requestHash, at, answer: null, ended: 0 };
    const { numInsertedOrUpdatedRows } = await database
      .insertInto('recorded_calls')
      .values({ workspace, session, tool_call_id: id, ...row })
      .onConflict((conflict) =>
        conflict
          .columns(['workspace', 'session', 'tool_call_id'])
          .doUpdateSet(row)
          .where('recorded_calls.at', '<', at - KEPT_MS),
      )
      .executeTakeFirst();
    return numInsertedOrUpdatedRows === 1n;
  }

  /** Looks at every row there is, so not with every call; what is too old is replaced where it is still there. */
  async #forgetOld(now: number): Promise<void> {
    if (now < this.#forgetAt) return;
    this.#forgetAt = now + FORGET_EVERY_MS;
    const { database } = this.#options;
    await database
      .deleteFrom('recorded_calls')
      .where('at', '<', now - KEPT_MS)
      .execute();
  }

  #hold(key: string, known: Known<Answer>): void {
    this.#held.set(key, known);
    const oldest = this.#held.keys().next();
    if (this.#held.size > MAX_HELD && !oldest.done) this.#held.delete(oldest.value);
  }
}

function answerIn(row: Row, call: Call): string {
  if (row.request_hash !== call.requestHash) throw otherCall(call.id);
  if (row.answer !== null) return row.answer;
  if (row.ended !== 1) throw elsewhere(call);
  throw notAgain(`The call ${JSON.stringify(call.id)} has run, but its answer is no longer held.`);
}

function elsewhere({ id }: Call): Failure {
  return notAgain(`The call ${JSON.stringify(id)} is running elsewhere, or was interrupted.`);
}

function notAgain(message: string): Failure {
  return new Failure('E_CONFLICT', message, {
    hint: 'It is not run a second time. Look at what it did, and use a new id to call again.',
  });
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
