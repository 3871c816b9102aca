/**
 * The questions of a session, for the persons who are connected to it: those that wait when one comes, whoever asked
 * them and before whatever restart, and each one that is asked or closed from then on.
 */
import type { Failure } from '../../failure.ts';
import { type AnyQuestion, isApproval } from '../../runtime/any-question.ts';
import type { UserQuestion } from '../../runtime/people.ts';
import type { Runtime } from '../../runtime-types.ts';
import type { ApprovalRows } from '../../store/approvals.ts';
import type { Approvals } from '../../store/tables.ts';
import { answerQuestion, type GivenAnswer } from '../http/answers.ts';
import type { Feed } from '../http/event-feed.ts';
import { correlation, type Of, type Trouble, trouble } from './messages.ts';

export interface PersonsOptions {
  readonly runtime: Runtime;
  readonly approvals: ApprovalRows;
  readonly feed: Feed;
}

/** Whose questions: a session is of one workspace. */
export interface Asker {
  readonly id: string;
  readonly workspace: string;
}

interface Person {
  readonly asker: Asker;
  readonly tell: (message: object) => void;
  /** The calls of the questions that it was told of, by question. */
  readonly told: Map<string, string>;
}

/** What a person says about a call. */
export interface Said {
  readonly message_id?: string | undefined;
  readonly call_id: string;
  readonly decision: Of<'hitl_decision'>['decision'];
  readonly scope?: 'once' | 'session' | 'always' | undefined;
  readonly given?: unknown;
  readonly feedback?: string | undefined;
}

const BY = 'websocket';

export class Persons implements AsyncDisposable {
  readonly #options: PersonsOptions;
  readonly #here = new Set<Person>();
  #watching: AbortController | undefined;
  /** One look after the other. */
  #looked: Promise<void> = Promise.resolve();

  constructor(options: PersonsOptions) {
    this.#options = options;
  }

  /** Tells a person of the questions of a session, until the returned function is called. */
  enter(asker: Asker, tell: (message: object) => void): () => void {
    const person: Person = { asker, tell, told: new Map() };
    this.#here.add(person);
    if (this.#watching === undefined) {
      this.#watching = new AbortController();
      void this.#watch(this.#watching.signal);
    }
    this.#look();
    return () => {
      this.#here.delete(person);
      if (this.#here.size > 0) return;
      this.#watching?.abort();
      this.#watching = undefined;
    };
  }

  /** Answers the open question about a call; gives what is wrong with the answer. */
  async answer(asker: Asker, said: Said): Promise<Trouble | undefined> {
    const { runtime: own, approvals } = this.#options;
    const open = (await approvals.pending(asker.workspace)).filter(({ session }) => session === asker.id);
    const [found, another] = open.filter((row) => callOf(questionIn(row)) === said.call_id);
    if (found === undefined)
      return trouble('INVALID_CALL_ID', 'No question about such a call is open.', correlation(said));
    // Who makes calls names them: a yes to one must not be given to the other.
    if (another !== undefined)
      return trouble(
        'INVALID_CALL_ID',
        'Several calls have that id, and wait: answer them by their questions.',
        correlation(said),
      );
    try {
      await answerQuestion({ own, approvals, by: BY }, found.id, toGiven(questionIn(found), said));
    } catch (error) {
      const { message } = error as Failure;
      return trouble('INVALID_FORMAT', message, correlation(said));
    } finally {
      this.#look();
    }
    return undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#watching?.abort();
    this.#here.clear();
    await this.#looked;
  }

  async #watch(signal: AbortSignal): Promise<void> {
    for await (const { event } of this.#options.feed.subscribe({ signal }))
      if (event.type === 'missed' || (event.type === 'changed' && event.sections.includes('approvals')))
        this.#look();
  }

  #look(): void {
    // A store that is in trouble is looked at again when something is written to it.
    this.#looked = this.#looked.then(() => this.#tellAll()).catch(() => undefined);
  }

  async #tellAll(): Promise<void> {
    if (this.#here.size === 0) return;
    const pending = await this.#options.approvals.pending();
    for (const { asker, tell, told } of this.#here) {
      const own = pending.filter(
        ({ workspace, session }) => workspace === asker.workspace && session === asker.id,
      );
      for (const row of own) {
        if (told.has(row.id)) continue;
        told.set(row.id, callOf(questionIn(row)));
        tell(toToolCall(row));
      }
      for (const [id, call_id] of told)
        if (!own.some((row) => row.id === id)) {
          told.delete(id);
          tell({ type: 'hitl_response', call_id, status: 'closed' });
        }
    }
  }
}

/** The call that a question is about, as its caller knows it. */
function callOf({ toolCallId, callId }: AnyQuestion): string {
  return toolCallId ?? callId;
}

function questionIn({ request }: Approvals): AnyQuestion {
  return JSON.parse(request) as AnyQuestion;
}

/** A call that waits for a person. */
function toToolCall(row: Approvals): object {
  const question = questionIn(row);
  const { tool: tool_name } = question;
  return {
    type: 'tool_call',
    call_id: callOf(question),
    tool_name,
    arguments: isApproval(question) ? question.args : askedFor(question),
    requires_approval: true,
    question,
    expires_at: row.expires_at,
  };
}

function askedFor(question: UserQuestion): object {
  const { message } = question;
  if (question.kind === 'choice') return { message, actions: question.choices };
  if (question.kind === 'review') return { message, chunks: question.chunks };
  return { message };
}

/** The answer as every place gives it; whether it fits is seen there. */
function toGiven(question: AnyQuestion, said: Said): GivenAnswer {
  const { decision, scope = 'once', given, feedback: reason } = said;
  if (isApproval(question)) {
    if (decision === 'reject') return { answer: 'deny', reason };
    return decision === 'edit' ? { answer: 'edit', args: given } : { answer: scope };
  }
  if (decision === 'reject') return { kind: 'declined', reason };
  const fields = (typeof given === 'object' && given !== null ? given : {}) as Readonly<
    Record<string, unknown>
  >;
  if (question.kind === 'choice') return { kind: 'choice', choice: textOf(fields['action'] ?? decision) };
  if (question.kind === 'text') return { kind: 'text', text: textOf(fields['text'] ?? reason) };
  const { chunks_selected: taken = question.chunks.map(({ number }) => number), action = 'apply' } = fields;
  return {
    kind: 'review',
    action: action === 'apply' ? 'apply' : 'cancel',
    taken: Array.isArray(taken) ? taken.filter((number): number is number => Number.isInteger(number)) : [],
    ...(reason === undefined ? {} : { comments: [{ text: reason }] }),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
