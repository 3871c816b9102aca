/**
 * A call that outlives the request it came with. In the revision of 2026-07-28 a server can't ask; it gives back the
 * question in place of a result, and the client sends the request again with the answer. The call waits meanwhile.
 */
import { randomUUID } from 'node:crypto';
import type { ElicitRequestFormParams } from '@modelcontextprotocol/server';
import type { FilledForm } from './approval-form.ts';
import { answerersBy } from './asking-client.ts';
import type { Answerers } from './tool-requests.ts';

/** Answers that nobody came back for are not kept for ever. */
const MAX_PARKED = 100;

/** A form that waits for the client to come back with it. */
export interface OpenForm {
  /** Names it, and its call, to the client, who hands it back. */
  readonly id: string;
  readonly form: ElicitRequestFormParams;
  readonly fill: (filled: FilledForm) => void;
}

export class ParkedCall<Result> {
  /** What was called, and with what. */
  readonly what: string;
  readonly result: Promise<Result>;
  readonly #stop = new AbortController();
  #open: OpenForm | undefined;
  /** The form that is open, or the next one. */
  #arrival = Promise.withResolvers<OpenForm>();

  /** Starts it; `run` makes the call with who answers its questions, and a signal. */
  constructor(what: string, run: (answerers: Answerers, signal: AbortSignal) => Promise<Result>) {
    this.what = what;
    this.result = run(
      answerersBy((form, signal) => this.#ask(form, signal)),
      this.#stop.signal,
    );
  }

  /** What there is to say next: the result, or the form while it is open. */
  next(): Promise<{ readonly result: Result } | OpenForm> {
    return Promise.race([this.result.then((result) => ({ result })), this.#arrival.promise]);
  }

  /** Takes what a person filled in, where that form is still open. The call then goes on to its result, or to the next form. */
  answer(id: string, filled: FilledForm): void {
    const open = this.#open;
    if (open?.id !== id) return;
    this.#close(open);
    open.fill(filled);
  }

  #ask(form: ElicitRequestFormParams, signal: AbortSignal): Promise<FilledForm> {
    const { promise, resolve: fill } = Promise.withResolvers<FilledForm>();
    const open = { id: randomUUID(), form, fill };
    this.#open = open;
    this.#arrival.resolve(open);
    // It was answered elsewhere, or is not wanted any more.
    signal.addEventListener('abort', () => this.#close(open), { once: true });
    return promise;
  }

  #close(form: OpenForm): void {
    if (this.#open !== form) return;
    this.#open = undefined;
    this.#arrival = Promise.withResolvers();
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

  park(id: string, call: ParkedCall<Result>): void {
    this.#calls.set(id, call);
    const [oldest] = this.#calls;
    if (this.#calls.size <= MAX_PARKED || oldest === undefined) return;
    this.#calls.delete(oldest[0]);
    oldest[1].stop();
  }

  /** The call that a client comes back for, once; undefined where it is not there, or was another one. */
  take(id: string, what: string): ParkedCall<Result> | undefined {
    const call = this.#calls.get(id);
    if (call?.what !== what) return undefined;
    this.#calls.delete(id);
    return call;
  }
}
