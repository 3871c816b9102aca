/** Documents on this machine: parsed one at a time by a process of their own, which is started when needed and ends when idle. */
import { z } from 'zod';
import { Failure } from '../../../failure.ts';
import type { DocumentPart, DocumentPicture, Documents, DocumentText } from '../../ports.ts';
import { WaitingLine } from '../waiting-line.ts';
import type { Frame } from './frames.ts';
import { findBubblewrap, MEMORY_BYTES, parserCommand } from './parser-confinement.ts';
import { ParserProcess } from './parser-process.ts';

export interface DocumentLimits {
  /** For one document. */
  readonly timeoutMs: number;
  /** How long a parser without work is kept. */
  readonly idleMs: number;
  /** How many documents may wait for their turn. */
  readonly waiting: number;
}

const USUAL: DocumentLimits = { timeoutMs: 30_000, idleMs: 60_000, waiting: 256 };

/** The documents port of one workspace: no parser sees documents of two of them. */
export function localDocuments(limits: Partial<DocumentLimits> = {}): Documents & Disposable {
  const { timeoutMs, idleMs, waiting } = { ...USUAL, ...limits };
  const line = new WaitingLine(1);
  const parsers = new Parsers(idleMs);
  let queued = 0;
  return {
    async read(part, load, { signal }) {
      if (queued > waiting) throw tooMany(waiting);
      queued++;
      try {
        using _turn = await line.take(signal);
        return await parse(parsers, part, await load(), timeoutMs, signal);
      } finally {
        queued--;
      }
    },
    [Symbol.dispose]: () => parsers[Symbol.dispose](),
  };
}

/** The parser at hand, and when to end it. */
class Parsers implements Disposable {
  readonly #idleMs: number;
  #parser: ParserProcess | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Whether confinement by bubblewrap was tried in vain. */
  #isUnconfined = false;

  constructor(idleMs: number) {
    this.#idleMs = idleMs;
  }

  async take(): Promise<ParserProcess> {
    clearTimeout(this.#timer);
    if (this.#parser !== undefined && !this.#parser.isOver) return this.#parser;
    this.#parser = await this.#start();
    return this.#parser;
  }

  /** Keeps it for the next document, where it is still good. */
  giveBack(): void {
    this.#timer = setTimeout(() => this.drop(), this.#idleMs).unref();
  }

  drop(): void {
    this.#parser?.[Symbol.dispose]();
    this.#parser = undefined;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.drop();
  }

  async #start(): Promise<ParserProcess> {
    const bubblewrap = this.#isUnconfined ? undefined : findBubblewrap();
    const confined =
      bubblewrap === undefined ? undefined : await ParserProcess.start(parserCommand(bubblewrap));
    if (confined !== undefined) return confined;
    const parser = await ParserProcess.start(parserCommand(undefined));
    if (parser === undefined) {
      throw new Failure('E_EXEC', 'The process that parses documents could not be started.', {
        hint: 'It needs a shell at /bin/sh, and Node as it runs Handrail.',
      });
    }
    this.#isUnconfined = true;
    return parser;
  }
}

async function parse(
  parsers: Parsers,
  part: DocumentPart,
  bytes: Uint8Array,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<DocumentText> {
  const parser = await parsers.take();
  let why: Failure | undefined;
  const end = (failure: Failure): void => {
    why = failure;
    parser[Symbol.dispose]();
  };
  const timer = setTimeout(() => end(tookTooLong(timeoutMs)), timeoutMs);
  const cancel = (): void => end(new Failure('E_CANCELLED', 'The reading of the document was cancelled.'));
  signal.addEventListener('abort', cancel);
  if (signal.aborted) cancel();
  try {
    const answer = await parser.ask(part, bytes);
    if (why !== undefined) throw why;
    const text = answer && open(answer);
    if (text !== undefined) return text;
    // Ended, or no longer itself.
    parser[Symbol.dispose]();
    throw endedOverIt();
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
    parsers.giveBack();
  }
}

/** An answer of the parser: its text, or the failure it found; undefined where it is neither. */
function open({ header, bytes }: Frame): DocumentText | undefined {
  const { ok, failure } = answerSchema.safeParse(header).data ?? {};
  if (failure !== undefined) throw new Failure(failure.code, failure.message, failure);
  if (ok === undefined) return undefined;
  let offset = 0;
  const pictures = ok.pictures.map(({ name, bytes: length }): DocumentPicture => {
    const content = bytes.subarray(offset, offset + length);
    offset += length;
    return { name, bytes: content };
  });
  return { ...ok, pictures };
}

/** A parser that a document got the better of could answer anything. */
const answerSchema = z.object({
  ok: z
    .object({
      kind: z.enum(['spreadsheet', 'word', 'pdf']),
      text: z.string(),
      isCut: z.boolean(),
      next: z.int().optional(),
      total: z.int().optional(),
      sheets: z.array(z.object({ name: z.string(), isHidden: z.boolean() })),
      notes: z.array(z.string()),
      pictures: z.array(z.object({ name: z.string(), bytes: z.int().min(0) })),
      picturesLeft: z.int(),
    })
    .optional(),
  failure: z
    .object({
      code: z.enum(['E_UNSUPPORTED', 'E_TOO_LARGE', 'E_NOT_FOUND']),
      message: z.string(),
      hint: z.string().exactOptional(),
      details: z.record(z.string(), z.unknown()).exactOptional(),
    })
    .optional(),
});

function tooMany(waiting: number): Failure {
  return new Failure('E_IO', `More than ${waiting} documents are waiting to be read.`, {
    hint: 'Try again when some of them are done.',
  });
}

function tookTooLong(milliseconds: number): Failure {
  return new Failure('E_TOOL_TIMEOUT', `The document was not parsed within ${milliseconds / 1000} seconds.`, {
    hint: 'Ask for a smaller part of it, or convert it to text in another way.',
    details: { reason: 'limit' },
  });
}

/** What ends a parser is nearly always that it wanted more memory. */
function endedOverIt(): Failure {
  const mebibytes = MEMORY_BYTES / 2 ** 20;
  return new Failure(
    'E_TOO_LARGE',
    `The document could not be parsed: its parser ended, most likely at its limit of ${mebibytes} MiB of memory.`,
    {
      hint: 'Ask for a smaller part of it, or convert it to text in another way.',
      details: { reason: 'limit' },
    },
  );
}
