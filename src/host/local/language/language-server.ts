/**
 * One running language server: started in the sandbox, greeted, told about documents, asked. Whatever it does wrong ends
 * as trouble for whoever asked; a server that does not listen any more is stopped.
 */
import type { z } from 'zod';
import type { Commands, Confinement, Diagnostic, FileNotice, Files, RunningCommand } from '../../ports.ts';
import type { FileUris } from './file-uri.ts';
import { greeting } from './greeting.ts';
import type { FoundServer } from './installed-servers.ts';
import { type OpenDocument, OpenDocuments } from './open-documents.ts';
import { treeMemory } from './process-memory.ts';
import { PublishedReports } from './published-reports.ts';
import { ServerConnection } from './server-connection.ts';
import {
  diagnosticsMessage,
  initializeMessage,
  publishedMessage,
  type ServerCapabilities,
} from './server-messages.ts';
import { ServerTrouble, within } from './server-trouble.ts';

export interface ServerParts {
  readonly found: FoundServer;
  readonly commands: Commands;
  readonly files: Files;
  readonly uris: FileUris;
  readonly confinement: Confinement;
  readonly env: Readonly<Record<string, string>>;
  readonly limits: ServerLimits;
}

export interface ServerLimits {
  readonly startMs: number;
  /** For the first question, while the server still looks around. */
  readonly firstAnswerMs: number;
  readonly answerMs: number;
  /** How long a server that did not answer may take to show that it listens. */
  readonly listenMs: number;
}

const GOODBYE_MS = 1_000;
const MAX_STDERR_CHARACTERS = 2_000;
const CHANGE_TYPES = { created: 1, updated: 2, deleted: 3 } as const;

export class LanguageServer {
  readonly #parts: ServerParts;
  readonly #running: RunningCommand;
  readonly #connection: ServerConnection;
  readonly #documents: OpenDocuments;
  readonly #published = new PublishedReports();
  /** What was answered about a document last, and about the text it had before. */
  readonly #reports = new Map<
    string,
    { version: number; now: readonly Diagnostic[]; before?: readonly Diagnostic[] | undefined }
  >();
  readonly #ended = Promise.withResolvers<string>();
  #capabilities: ServerCapabilities | undefined;
  #hasAnswered = false;
  #isSilent = false;
  #stderr = '';

  private constructor(parts: ServerParts, running: RunningCommand) {
    this.#parts = parts;
    this.#running = running;
    running.stderr.on('data', (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString()).slice(-MAX_STDERR_CHARACTERS);
    });
    this.#connection = new ServerConnection({
      stdin: running.stdin,
      stdout: running.stdout,
      settings: parts.found.server.settings ?? {},
      onNotice: (method, params) => this.#hear(method, params),
      onBroken: (why) => this.#end(why),
    });
    this.#documents = new OpenDocuments(parts.files, parts.uris, {
      opened: (document) => {
        this.#published.sent(document.uri, document.version);
        const { uri, version, text } = document;
        const languageId = parts.found.languageId(document.path);
        this.#connection.tell('textDocument/didOpen', { textDocument: { uri, version, text, languageId } });
      },
      changed: ({ uri, version, text }) => {
        this.#published.sent(uri, version);
        this.#connection.tell('textDocument/didChange', {
          textDocument: { uri, version },
          contentChanges: [{ text }],
        });
      },
      closed: async ({ uri }) => {
        this.#published.closed(uri);
        this.#reports.delete(uri);
        this.#connection.tell('textDocument/didClose', { textDocument: { uri } });
        // What it still says about the closed document has come by then.
        if (!this.#pulls) await this.#connection.listens(parts.limits.answerMs);
      },
      mayChange: ({ uri }) => this.#settled(uri),
    });
    void running.exited.then(() => this.#connection.break('it ended'));
  }

  /** Starts a server; it has answered the greeting when this returns. */
  static async start(parts: ServerParts): Promise<LanguageServer> {
    const [program, ...args] = parts.found.command;
    const stop = new AbortController();
    const running = await parts.commands.start({
      program: program!,
      args,
      directory: '.',
      env: parts.env,
      confinement: parts.confinement,
      signal: stop.signal,
    });
    const server = new LanguageServer(parts, running);
    try {
      await server.#greet();
      return server;
    } catch (error) {
      await server.stop();
      throw server.#withLastWords(error);
    }
  }

  /** Why it is over, once it is. */
  get ended(): Promise<string> {
    return this.#ended.promise;
  }

  memory(): number {
    return treeMemory(this.#running.pid);
  }

  can(capability: Exclude<keyof ServerCapabilities, 'positionEncoding'>): boolean {
    const offered = this.#capabilities?.[capability];
    return offered !== undefined && offered !== null && offered !== false;
  }

  /** Asks about a document as its file is now. */
  async ask<Output>(
    path: string,
    method: string,
    params: object,
    answer: z.ZodType<Output>,
    signal: AbortSignal,
  ): Promise<Output> {
    return this.#asking(async (timeoutMs) => {
      const { uri } = await this.#documents.inStep(path);
      const options = { timeoutMs, signal };
      return this.#connection.ask(method, { textDocument: { uri }, ...params }, answer, options);
    });
  }

  /** What is wrong in a file as it is now, and what was before its text last changed. */
  async diagnose(
    path: string,
    signal: AbortSignal,
  ): Promise<{ now: readonly Diagnostic[]; before: readonly Diagnostic[] | undefined }> {
    return this.#asking(async (timeoutMs) => {
      const document = await this.#documents.inStep(path);
      const { uri, version } = document;
      const now = this.#pulls
        ? await this.#connection.ask(
            'textDocument/diagnostic',
            { textDocument: { uri } },
            diagnosticsMessage,
            { timeoutMs, signal },
          )
        : await this.#reported(document, timeoutMs, signal);
      const last = this.#reports.get(uri);
      const before = last?.version === version ? last.before : last?.now;
      this.#reports.set(uri, { version, now, before });
      return { now, before };
    });
  }

  /** Open documents follow at once; of others the server is told that they changed. */
  notice(changes: readonly FileNotice[]): void {
    const others = changes.filter(({ path }) => !this.#documents.has(path));
    // A server that names no versions would report anew, and nobody could tell about what.
    if (others.length > 0 && (this.#pulls || this.#published.namesVersions === true))
      this.#connection.tell('workspace/didChangeWatchedFiles', {
        changes: others.map(({ path, change }) => ({
          uri: this.#parts.uris.of(path),
          type: CHANGE_TYPES[change],
        })),
      });
    for (const { path } of changes)
      // The next question finds out what went wrong.
      if (this.#documents.has(path)) this.#documents.follow(path).catch(() => {});
  }

  async stop(): Promise<void> {
    await this.#connection.sayGoodbye(GOODBYE_MS);
    this.#connection[Symbol.dispose]();
    await this.#running.stop();
  }

  get #pulls(): boolean {
    return this.can('diagnosticProvider');
  }

  async #greet(): Promise<void> {
    const { uris, found, limits } = this.#parts;
    const hello = greeting(uris.root, found.server.options);
    const { capabilities } = await this.#connection.ask('initialize', hello, initializeMessage, {
      timeoutMs: limits.startMs,
    });
    const encoding = capabilities.positionEncoding ?? 'utf-16';
    if (encoding !== 'utf-16')
      throw new ServerTrouble(
        `It counts characters in ${JSON.stringify(encoding.slice(0, 20))}, which was not offered.`,
      );
    this.#capabilities = capabilities;
    this.#connection.tell('initialized', {});
    this.#connection.tell('workspace/didChangeConfiguration', { settings: found.server.settings ?? {} });
    // Some ask for their settings now, and lose documents that come before the answer. It is with them the second time.
    for (const _ of ['asked', 'told']) await this.#connection.listens(limits.startMs);
  }

  async #asking<Output>(work: (timeoutMs: number) => Promise<Output>): Promise<Output> {
    const { limits } = this.#parts;
    try {
      const output = await work(this.#hasAnswered ? limits.answerMs : limits.firstAnswerMs);
      this.#hasAnswered = true;
      return output;
    } catch (error) {
      if (error instanceof ServerTrouble && error.timedOut) void this.#checkListening();
      throw this.#withLastWords(error);
    }
  }

  async #reported(
    { uri }: OpenDocument,
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<readonly Diagnostic[]> {
    const { settleMs = 0 } = this.#parts.found.server;
    const first = await this.#within(this.#published.latest(uri), timeoutMs, signal);
    if (settleMs === 0) return first;
    // It reports in stages; the last one within a moment counts.
    await new Promise((resolve) => setTimeout(resolve, settleMs));
    return this.#within(this.#published.latest(uri), timeoutMs, signal);
  }

  /** Waits for what a server sends by itself. */
  async #within<Output>(
    work: Promise<Output>,
    timeoutMs = this.#parts.limits.answerMs,
    signal?: AbortSignal,
  ): Promise<Output> {
    return within(work, { timeoutMs, signal, says: 'It reported nothing' });
  }

  /** Waits for a report that is still to come; a server that never reports is not waited for again. */
  async #settled(uri: string): Promise<void> {
    if (this.#pulls || this.#isSilent) return;
    try {
      await this.#within(this.#published.settled(uri));
    } catch (error) {
      if (!(error instanceof ServerTrouble) || !error.timedOut) throw error;
      this.#isSilent = true;
    }
  }

  /** A server that hangs never answers again; one that was slow goes on. */
  async #checkListening(): Promise<void> {
    try {
      await this.#connection.listens(this.#parts.limits.listenMs);
    } catch {
      this.#connection.break('it hung');
    }
  }

  #hear(method: string, params: unknown): void {
    if (method !== 'textDocument/publishDiagnostics') return;
    const { data } = publishedMessage.safeParse(params);
    if (data === undefined) return;
    this.#isSilent = false;
    this.#published.take(data);
  }

  #end(why: string): void {
    this.#published.fail(new ServerTrouble(`It does not answer, because ${why}.`));
    this.#ended.resolve(why);
    void this.#running.stop();
  }

  /** What it wrote last, where it ended, tells more than that it did. */
  #withLastWords(error: unknown): unknown {
    const words = this.#stderr.trim().split('\n').at(-1) ?? '';
    if (!(error instanceof ServerTrouble) || !/because it ended/.test(error.message) || words === '')
      return error;
    return new ServerTrouble(`${error.message} It wrote: ${words.slice(0, 300)}`, { cause: error });
  }
}
