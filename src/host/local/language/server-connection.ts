/**
 * The wire to one server: questions with a time limit, notices, and the few questions of its own that are answered. A
 * server that breaks the rules of the wire is over.
 */
import type { Readable, Writable } from 'node:stream';
import {
  CancellationTokenSource,
  createMessageConnection,
  type MessageConnection,
  NotificationType0,
  RequestType0,
  ResponseError,
  StreamMessageWriter,
} from 'vscode-jsonrpc/node';
import type { z } from 'zod';
import { Failure } from '../../../failure.ts';
import { BoundedMessageReader } from './message-reader.ts';
import { configurationQuestion } from './server-messages.ts';
import { ServerTrouble, within } from './server-trouble.ts';

export interface ConnectionParts {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** What the server is told when it asks for its settings, by section. */
  readonly settings: Readonly<Record<string, unknown>>;
  onNotice(method: string, params: unknown): void;
  /** Told once, with the reason, in words that follow "because". */
  onBroken(why: string): void;
}

export interface QuestionOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** What has not been taken by a server that does not read. */
const MAX_UNREAD_BYTES = 64 * 1024 * 1024;
/** The server would have to begin again; asking once more is enough. */
const PASSING_ERRORS: ReadonlySet<number> = new Set([-32801, -32802]);
const MAX_TRIES = 5;
/** Nobody knows it, so every server answers at once, once it has read everything before. */
const UNKNOWN_QUESTION = new RequestType0('handrail/whetherYouListen');

export class ServerConnection implements Disposable {
  readonly #parts: ConnectionParts;
  readonly #wire: MessageConnection;
  #whyBroken: string | undefined;

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
    this.#wire = createMessageConnection(
      new BoundedMessageReader(parts.stdout),
      new StreamMessageWriter(parts.stdin),
      { error: () => {}, warn: () => {}, info: () => {}, log: () => {} },
    );
    this.#wire.onError(([error]) => this.break(error.message));
    this.#wire.onClose(() => this.break('it ended'));
    this.#wire.onNotification((method, params) => parts.onNotice(method, params));
    this.#wire.onRequest((method, params) => this.#answer(method, params));
    this.#wire.listen();
  }

  /** Asks; what comes back must look as the protocol says. */
  async ask<Output>(
    method: string,
    params: object,
    answer: z.ZodType<Output>,
    options: QuestionOptions,
  ): Promise<Output> {
    for (let attempt = 1; ; attempt++) {
      try {
        const parsed = answer.safeParse(
          await this.#send((token) => this.#wire.sendRequest(method, params, token), options),
        );
        if (parsed.success) return parsed.data;
        throw new ServerTrouble(`It answered ${method} with something that the protocol does not know.`);
      } catch (error) {
        const isPassing = error instanceof ResponseError && PASSING_ERRORS.has(error.code);
        if (!isPassing || attempt === MAX_TRIES) throw this.#toTrouble(error, method);
      }
    }
  }

  tell(method: string, params: object): void {
    this.#write(() => this.#wire.sendNotification(method, params));
    if (this.#parts.stdin.writableLength > MAX_UNREAD_BYTES) this.break('it does not read what it is sent');
  }

  /** Comes back once the server has read everything before. */
  async listens(timeoutMs: number): Promise<void> {
    try {
      await this.#send((token) => this.#wire.sendRequest(UNKNOWN_QUESTION, token), { timeoutMs });
    } catch (error) {
      if (!(error instanceof ResponseError) || this.#whyBroken !== undefined)
        throw this.#toTrouble(error, 'a question');
    }
  }

  /** Asks it to end by itself. */
  async sayGoodbye(timeoutMs: number): Promise<void> {
    if (this.#whyBroken !== undefined) return;
    try {
      await this.#send((token) => this.#wire.sendRequest(new RequestType0('shutdown'), token), { timeoutMs });
    } catch {
      // It is ended by force then.
    }
    this.#write(() => this.#wire.sendNotification(new NotificationType0('exit')));
  }

  /** Nothing is expected of the server any more. */
  break(why: string): void {
    if (this.#whyBroken !== undefined) return;
    this.#whyBroken = why;
    this.#parts.onBroken(why);
    this.#wire.dispose();
  }

  [Symbol.dispose](): void {
    this.break('it was stopped');
  }

  /** What can't be written is noticed by whoever waits for an answer. */
  #write(send: () => Promise<void>): void {
    if (this.#whyBroken === undefined) send().catch(() => {});
  }

  async #send<Output>(
    send: (token: CancellationTokenSource['token']) => Promise<Output>,
    options: QuestionOptions,
  ): Promise<Output> {
    if (this.#whyBroken !== undefined)
      throw new ServerTrouble(`It does not answer, because ${this.#whyBroken}.`);
    const cancellation = new CancellationTokenSource();
    try {
      return await within(send(cancellation.token), { ...options, says: 'It did not answer' });
    } finally {
      // What nobody waits for any more need not be worked out.
      if (this.#whyBroken === undefined) cancellation.cancel();
      cancellation.dispose();
    }
  }

  #toTrouble(error: unknown, method: string): unknown {
    if (error instanceof ServerTrouble || error instanceof Failure) return error;
    if (error instanceof ResponseError && this.#whyBroken === undefined)
      return new ServerTrouble(`It answered ${method} with an error: ${error.message.slice(0, 300)}`);
    return new ServerTrouble(`It does not answer, because ${this.#whyBroken ?? 'the connection broke'}.`, {
      cause: error,
    });
  }

  /** Nothing a server asks changes anything here. */
  #answer(method: string, params: unknown): unknown {
    if (this.#parts.stdin.writableLength > MAX_UNREAD_BYTES) this.break('it does not read what it is sent');
    switch (method) {
      case 'workspace/configuration':
        return (configurationQuestion.safeParse(params).data?.items ?? []).map(({ section }) =>
          settingsAt(this.#parts.settings, section),
        );
      case 'client/registerCapability':
      case 'client/unregisterCapability':
      case 'window/workDoneProgress/create':
      case 'window/showMessageRequest':
      case 'workspace/diagnostic/refresh':
        return null;
      case 'workspace/applyEdit':
        return { applied: false, failureReason: 'Files are not changed this way.' };
      default:
        return new ResponseError(-32601, `${method} is not answered here.`);
    }
  }
}

/** The settings of `a.b`, which stand below `a`. */
function settingsAt(settings: Readonly<Record<string, unknown>>, section: string | undefined): unknown {
  let found: unknown = settings;
  for (const name of section?.split('.') ?? []) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return null;
    found = (found as Record<string, unknown>)[name];
  }
  return found;
}
