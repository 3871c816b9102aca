/** The vectors of parts: made in the background, a few at a time, and compared with that of a question. */
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Root } from '../root.ts';
import { embed, type EmbeddingSettings, EmbeddingTrouble } from './embedding-endpoint.ts';
import { inTransaction, Statements } from './index-database.ts';
import { below, type Candidate } from './rank-parts.ts';
import { readText } from './read-text.ts';

const BATCH_PARTS = 32;
const BATCH_TIMEOUT_MS = 60_000;
const QUESTION_TIMEOUT_MS = 5_000;
const MOST_CANDIDATES = 60;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 300_000;
/** In place of a vector, for a part without text or one that is not sent. */
const NONE = new ArrayBuffer(0);

export interface VectorParts {
  readonly sqlite: DatabaseSync;
  readonly root: Root;
  readonly settings: EmbeddingSettings;
  /** Which of these texts hold nothing that must not leave the machine. */
  readonly maySend: (texts: readonly string[]) => Promise<readonly boolean[]>;
}

export class PartVectors {
  readonly #parts: VectorParts;
  readonly #statements: Statements;
  #filling: Promise<void> | undefined;
  #failures = 0;
  #pausedUntil = 0;
  /** Why the endpoint gave no vectors when it was last asked. */
  #trouble: string | undefined;

  constructor(parts: VectorParts) {
    this.#parts = parts;
    this.#statements = new Statements(parts.sqlite);
    this.#forgetOthers();
  }

  /** How many parts have a vector, of how many that could. */
  get progress(): { done: number; total: number } {
    const count = (table: string): number =>
      Number(this.#statements.get(`select count(*) as n from ${table}`).get()!['n']);
    return { done: count('vectors'), total: Math.min(count('parts'), this.#parts.settings.maxParts) };
  }

  /** Embeds what has no vector yet, where nobody does already; not for a while after the endpoint failed. */
  fill(): void {
    if (this.#filling !== undefined || performance.now() < this.#pausedUntil) return;
    this.#filling = this.#fillAll()
      .catch(() => {
        // The endpoint is left alone for a while; whoever asks next tries again.
      })
      .finally(() => (this.#filling = undefined));
  }

  /** The parts nearest to a question; throws where the endpoint does not answer. */
  async nearest(question: string, paths: readonly string[]): Promise<Candidate[]> {
    if (performance.now() < this.#pausedUntil) throw new EmbeddingTrouble(this.#trouble);
    const [wanted] = await this.#asking(() => embed(this.#parts.settings, [question], QUESTION_TIMEOUT_MS));
    const { sql, values } = below(paths);
    const rows = this.#statements
      .get(
        `select parts.id as part, parts.start, parts."end", files.path, files.version, vector
         from vectors join parts on parts.id = vectors.part join files on files.id = parts.file
         where length(vector) > 0 ${sql}`,
      )
      .iterate(...values);
    let best: Candidate[] = [];
    for (const { vector, ...row } of rows) {
      const candidate = { ...row, fit: product(wanted!, vector as Uint8Array) } as unknown as Candidate;
      best.push(candidate);
      if (best.length > 20 * MOST_CANDIDATES) best = best.sort(nearestFirst).slice(0, MOST_CANDIDATES);
    }
    return best.sort(nearestFirst).slice(0, MOST_CANDIDATES);
  }

  async #fillAll(): Promise<void> {
    for (;;) {
      const { done, total } = this.progress;
      const batch = this.#withoutVector(Math.min(BATCH_PARTS, total - done));
      if (batch.length === 0) return;
      await this.#fillSome(batch);
      await nextTurn();
    }
  }

  async #fillSome(batch: readonly Candidate[]): Promise<void> {
    const texts = batch.map((candidate) => this.#textOf(candidate));
    const may = await this.#parts.maySend(texts);
    const isSent = texts.map((text, at) => may[at] === true && text !== '');
    const sent = texts.filter((_, at) => isSent[at]);
    const vectors =
      sent.length === 0 ? [] : await this.#asking(() => embed(this.#parts.settings, sent, BATCH_TIMEOUT_MS));
    inTransaction(this.#parts.sqlite, () => {
      for (const [at, { part }] of batch.entries()) {
        const bytes = new Uint8Array(isSent[at] === true ? vectors.shift()!.buffer : NONE);
        // The part may be gone since.
        this.#statements
          .get('insert or replace into vectors (part, vector) select id, ? from parts where id = ?')
          .run(bytes, part);
      }
    });
  }

  #withoutVector(limit: number): Candidate[] {
    return this.#statements
      .get(
        `select parts.id as part, parts.start, parts."end", files.path, files.version, 0 as fit
         from parts join files on files.id = parts.file
         where parts.id not in (select part from vectors) order by part limit ?`,
      )
      .all(limit) as unknown as Candidate[];
  }

  #textOf({ path, start, end }: Candidate): string {
    const read = readText(this.#parts.root, path);
    if (read === undefined || read === 'known') return '';
    const lines = read.lines.slice(start, end);
    return lines.some((line) => line.trim() !== '') ? `${path}\n${lines.join('\n')}` : '';
  }

  /** Asks the endpoint; after each failure it is left alone for longer. */
  async #asking<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      const result = await work();
      this.#failures = 0;
      return result;
    } catch (error) {
      if (error instanceof EmbeddingTrouble) {
        this.#trouble = error.message;
        const pause = Math.min(FIRST_PAUSE_MS * 2 ** this.#failures++, LONGEST_PAUSE_MS);
        this.#pausedUntil = performance.now() + pause;
      }
      throw error;
    }
  }

  /** Vectors of another model are no use to this one. */
  #forgetOthers(): void {
    const { endpoint, model } = this.#parts.settings;
    const source = `${model} ${endpoint}`;
    const known = this.#statements.get("select value from facts where name = 'embeddings'").get()?.['value'];
    if (known === source) return;
    inTransaction(this.#parts.sqlite, () => {
      this.#statements.get('delete from vectors').run();
      this.#statements.get("insert or replace into facts values ('embeddings', ?)").run(source);
    });
  }
}

function product(one: Float32Array, blob: Uint8Array): number {
  const other = new Float32Array(blob.buffer, blob.byteOffset, blob.byteLength / 4);
  if (other.length !== one.length) return -1;
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += one[at]! * other[at]!;
  return sum;
}

function nearestFirst(one: Candidate, other: Candidate): number {
  return other.fit - one.fit || one.part - other.part;
}
