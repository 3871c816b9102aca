/**
 * Pages as Markdown, made in a thread of their own: a page is made by a stranger, and could take for ever, or all the
 * memory there is.
 */
import { Worker } from 'node:worker_threads';
import { Failure } from '../../../failure.ts';
import type { ReadablePage } from '../../web-ports.ts';
import { WaitingLine } from '../waiting-line.ts';

export interface PageLimits {
  readonly timeoutMs: number;
  readonly memoryMegabytes: number;
}

const LIMITS: PageLimits = { timeoutMs: 10_000, memoryMegabytes: 256 };
const line = new WaitingLine(2);

/** Reads a page; one that takes too long or too much is a failure. */
export async function readable(
  html: string,
  url: string,
  signal: AbortSignal,
  { timeoutMs, memoryMegabytes }: PageLimits = LIMITS,
): Promise<ReadablePage> {
  using _place = await line.take(signal);
  signal.throwIfAborted();
  const worker = new Worker(workerFile(), {
    workerData: { html, url },
    resourceLimits: { maxOldGenerationSizeMb: memoryMegabytes, stackSizeMb: 4 },
    // What is in the environment is nothing to a page.
    env: {},
  });
  const { promise, resolve, reject } = Promise.withResolvers<ReadablePage>();
  const timer = setTimeout(() => reject(unreadable('it takes too long')), timeoutMs);
  const cancel = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', cancel, { once: true });
  worker.once('message', resolve);
  worker.once('error', (error) => reject(unreadable(error.message)));
  worker.once('exit', () => reject(unreadable('the reader ended early')));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
    await worker.terminate();
  }
}

/** It lies beside this one, whatever both were made into. */
function workerFile(): URL {
  const here = import.meta.url;
  return new URL(`readable-worker${here.slice(here.lastIndexOf('.'))}`, here);
}

function unreadable(why: string): Failure {
  return new Failure('E_UNSUPPORTED', `The page can not be made readable: ${why}.`, {
    hint: 'Fetch it raw.',
  });
}
