/**
 * The index of a workspace's code, kept by a thread of its own, which starts with the first question and ends with the runtime. The
 * policy is asked here which files may be in it, and which texts may be sent to be embedded.
 */
import { Worker } from 'node:worker_threads';
import type { CodeAnswer, CodeIndex, CodeQuestion } from '../../code-index-ports.ts';
import type { IndexMessage, IndexRequest, IndexSettings } from './index-messages.ts';

const MEMORY_MEGABYTES = 512;

export interface CodeIndexParts extends Omit<IndexSettings, 'file'> {
  /** Makes the file private, and says where it is. */
  readonly file: () => string;
  /** Whether a file may be read without a question. */
  readonly mayIndex: (path: string) => boolean;
  /** Whether a text holds nothing that looks like a secret. */
  readonly maySend: (text: string) => boolean;
  /** How long a question waits for an index that is being built. */
  readonly patienceMs: number;
}

/** Opens the index; nothing happens before it is asked. */
export function localCodeIndex(parts: CodeIndexParts): CodeIndex {
  return new LocalCodeIndex(parts);
}

class LocalCodeIndex implements CodeIndex {
  readonly #parts: CodeIndexParts;
  readonly #waiting = new Map<number, (answer: CodeAnswer) => void>();
  #worker: Worker | undefined;
  #questions = 0;

  constructor(parts: CodeIndexParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#worker ??= this.#startWorker();
  }

  noticed(changes: Parameters<CodeIndex['noticed']>[0]): void {
    if (changes.length > 0) this.#send({ type: 'noticed', paths: changes.map(({ path }) => path) });
  }

  async find({ question, paths, limit, signal }: CodeQuestion): Promise<CodeAnswer> {
    signal.throwIfAborted();
    this.start();
    const id = ++this.#questions;
    const { promise, resolve, reject } = Promise.withResolvers<CodeAnswer>();
    const cancel = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', cancel, { once: true });
    this.#waiting.set(id, resolve);
    // Only while someone waits does it keep the process.
    this.#worker?.ref();
    this.#send({ type: 'find', id, question, paths, limit, patienceMs: this.#parts.patienceMs });
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', cancel);
      this.#waiting.delete(id);
      if (this.#waiting.size === 0) this.#worker?.unref();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker?.terminate();
  }

  #startWorker(): Worker {
    const { workspace, home, quotaBytes, embeddings } = this.#parts;
    const settings: IndexSettings = { workspace, home, quotaBytes, embeddings, file: this.#parts.file() };
    const worker = new Worker(workerFile(), {
      workerData: settings,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MEGABYTES },
      env: {},
    });
    worker.on('message', (message: IndexMessage) => this.#take(message));
    worker.on('error', (error) => this.#lose(worker, error.message));
    worker.on('exit', () => this.#lose(worker, 'it ended early'));
    worker.unref();
    return worker;
  }

  #take(message: IndexMessage): void {
    if (message.type === 'found') {
      this.#waiting.get(message.id)?.(message.answer);
      return;
    }
    const may = message.type === 'may-index' ? this.#parts.mayIndex : this.#parts.maySend;
    this.#send({ type: 'judged', id: message.id, verdicts: message.asked.map((asked) => may(asked)) });
  }

  /** The next question starts another one. */
  #lose(worker: Worker, why: string): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    for (const resolve of this.#waiting.values())
      resolve({ status: 'unavailable', note: `The index can't be used: ${why}.` });
  }

  #send(request: IndexRequest): void {
    this.#worker?.postMessage(request, []);
  }
}

/** It lies beside this one, whatever both were made into. */
function workerFile(): URL {
  const here = import.meta.url;
  return new URL(`code-index-worker${here.slice(here.lastIndexOf('.'))}`, here);
}
