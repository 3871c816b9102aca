/**
 * A call that outlives the request it came with. In the revision of 2026-07-28 a server can't ask; it gives back the
 * question in place of a result, and the client sends the request again with the answer. The call waits meanwhile.
 */
import { randomUUID } from 'node:crypto';
import type { ApprovalAnswer, ApprovalRequest, Approver } from '../../policy/approvals.ts';

/** Answers that nobody came back for are not kept for ever. */
const MAX_PARKED = 100;

export class ParkedCall<Result> {
  /** Names the call to the client, who hands it back. */
  readonly id: string = randomUUID();
  /** What was called, and with what. */
  readonly what: string;
  readonly result: Promise<Result>;
  readonly #question = Promise.withResolvers<ApprovalRequest>();
  readonly #answer = Promise.withResolvers<ApprovalAnswer>();
  readonly #stop = new AbortController();

  /** Starts it; `run` makes the call with an approver and a signal. */
  constructor(what: string, run: (approve: Approver, signal: AbortSignal) => Promise<Result>) {
    this.what = what;
    this.result = run((request) => {
      this.#question.resolve(request);
      return this.#answer.promise;
    }, this.#stop.signal);
  }

  /** What there is to say next: the result, or the question while it is open. */
  next(): Promise<{ readonly result: Result } | { readonly question: ApprovalRequest }> {
    const result = this.result.then((result) => ({ result }));
    return Promise.race([result, this.#question.promise.then((question) => ({ question }))]);
  }

  /** Takes a person's answer, made from the question; the call then goes on to its result. */
  async answer(toAnswer: (question: ApprovalRequest) => ApprovalAnswer): Promise<Result> {
    this.#answer.resolve(toAnswer(await this.#question.promise));
    return this.result;
  }

  /** Cancels it when the signal fires, until that is disposed: a request that has its answer may be aborted, too. */
  follow(signal: AbortSignal): Disposable {
    const stop = (): void => this.stop();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    return { [Symbol.dispose]: () => signal.removeEventListener('abort', stop) };
  }

  stop(): void {
    this.#stop.abort();
  }
}

/** The calls of a connection that wait for their client to come back. */
export class ParkedCalls<Result> {
  readonly #calls = new Map<string, ParkedCall<Result>>();

  park(call: ParkedCall<Result>): void {
    this.#calls.set(call.id, call);
    const [oldest] = this.#calls.values();
    if (this.#calls.size <= MAX_PARKED || oldest === undefined) return;
    this.#calls.delete(oldest.id);
    oldest.stop();
  }

  /** The call that a client comes back for, once; undefined where it is not there, or was another one. */
  take(id: string, what: string): ParkedCall<Result> | undefined {
    const call = this.#calls.get(id);
    if (call?.what !== what) return undefined;
    this.#calls.delete(id);
    return call;
  }
}
