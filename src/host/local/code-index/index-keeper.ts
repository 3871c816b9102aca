/** Keeps the index of a workspace: builds it, brings it in step before each question, and answers. */
import { setTimeout as wait } from 'node:timers/promises';
import type { CodeAnswer } from '../../code-index-ports.ts';
import { pinRoot, type Root } from '../root.ts';
import { EmbeddingTrouble } from './embedding-endpoint.ts';
import { isDamage, isFull, openIndex, removeIndex, removeUnused, Statements } from './index-database.ts';
import type { IndexRequest, IndexSettings } from './index-messages.ts';
import { IndexPass } from './index-pass.ts';
import { IndexWriter } from './index-writer.ts';
import { PartVectors } from './part-vectors.ts';
import { bestFirst, fewOfEachFile, PartRanking, type RankedPart, toShow } from './rank-parts.ts';
import { WatchedFolders } from './watched-folders.ts';

/** How much a place in a list counts less than the one before: as usual where lists are merged by rank. */
const RANK_OFFSET = 60;

export interface Judges {
  readonly mayIndex: (paths: readonly string[]) => Promise<readonly boolean[]>;
  readonly maySend: (texts: readonly string[]) => Promise<readonly boolean[]>;
}

type Find = Extract<IndexRequest, { type: 'find' }>;

export class IndexKeeper {
  readonly #settings: IndexSettings;
  readonly #judges: Judges;
  readonly #root: Root;
  readonly #watched: WatchedFolders;
  #open: OpenParts;
  #running: Promise<void> | undefined;
  /** What to say with every answer until all is well again. */
  #notes = new Map<'damaged' | 'full', string>();

  constructor(settings: IndexSettings, judges: Judges) {
    this.#settings = settings;
    this.#judges = judges;
    this.#root = pinRoot(settings.workspace, settings.home);
    this.#watched = new WatchedFolders(settings.workspace);
    this.#open = this.#openParts();
    removeUnused(settings.file, new Date());
  }

  noticed(paths: readonly string[]): void {
    for (const path of paths) this.#watched.mark(path);
  }

  /** Builds what is not there yet. */
  start(): void {
    void this.#inStep().catch(() => {
      // Whoever asks next tries again, and is told.
    });
  }

  async find(asked: Find): Promise<CodeAnswer> {
    try {
      const patience = new AbortController();
      const late = wait(asked.patienceMs, 'late' as const, { signal: patience.signal }).catch(
        () => 'late' as const,
      );
      const isInStep = (await Promise.race([this.#inStep(), late])) !== 'late';
      patience.abort();
      if (!isInStep) return { status: 'unavailable', note: this.#building() };
      const unknown = asked.paths.find((path) => !this.#open.ranking.knows(path));
      if (unknown !== undefined) return { status: 'unavailable', note: notIndexed(unknown) };
      const answer = await this.#answer(asked);
      this.#later();
      return answer;
    } catch (error) {
      if (!isDamage(error))
        return { status: 'unavailable', note: `The index can't be used: ${messageOf(error)}` };
      this.#rebuild();
      this.start();
      return { status: 'unavailable', note: this.#notes.get('damaged')! };
    }
  }

  /** One pass at a time; whoever comes during one needs the next, since it may have looked already. */
  async #inStep(): Promise<void> {
    await this.#running?.catch(() => {});
    this.#running ??= this.#pass().finally(() => (this.#running = undefined));
    await this.#running;
  }

  async #pass(): Promise<void> {
    try {
      await this.#open.pass.run();
    } catch (error) {
      if (!isFull(error)) throw error;
      this.#notes.set('full', 'The index is as large as it may be; files that are not in it are not found.');
    }
  }

  /** What can wait until after an answer. */
  #later(): void {
    this.#open.vectors?.fill();
    if (!this.#watched.isOld) return;
    this.#watched.distrust();
    this.start();
  }

  async #answer(asked: Find): Promise<CodeAnswer> {
    const { question, paths } = asked;
    const { ranking, vectors } = this.#open;
    const byWords = ranking.byWords(asked);
    if (vectors === undefined) return this.#ready('index', asked, byWords);
    try {
      const nearest = ranking.read(await vectors.nearest(question, paths), question);
      const { done, total } = vectors.progress;
      const note = done < total ? `${done} of ${total} parts are embedded so far.` : undefined;
      return this.#ready('index+embeddings', asked, merge(byWords, nearest), note);
    } catch (error) {
      if (!(error instanceof EmbeddingTrouble)) throw error;
      const note = `The embedding endpoint was of no use (${error.message}): ranked by words only.`;
      return this.#ready('index', asked, byWords, note);
    }
  }

  #ready(
    way: 'index' | 'index+embeddings',
    { question, limit }: Find,
    ranked: readonly RankedPart[],
    note?: string,
  ): CodeAnswer {
    const notes = [...this.#notes.values(), ...(note === undefined ? [] : [note])];
    this.#notes.delete('damaged');
    const parts = fewOfEachFile(ranked)
      .slice(0, limit)
      .map((part) => toShow(part, question));
    return { status: 'ready', way, parts, ...(notes.length > 0 ? { note: notes.join(' ') } : {}) };
  }

  #building(): string {
    const { done, total } = this.#open.pass.progress;
    const far = total > 0 ? `: ${done} of ${total} files` : '';
    return [...this.#notes.values(), `The index is being built${far}.`].join(' ');
  }

  #rebuild(): void {
    this.#open.close();
    removeIndex(this.#settings.file);
    this.#open = this.#openParts();
    this.#watched.distrust();
    this.#notes.set('damaged', DAMAGED);
  }

  #openParts(): OpenParts {
    const { file, quotaBytes, embeddings } = this.#settings;
    const { sqlite, wasDamaged } = openIndex(file, quotaBytes);
    if (wasDamaged) this.#notes.set('damaged', DAMAGED);
    const root = this.#root;
    const writer = new IndexWriter(sqlite, root);
    return {
      pass: new IndexPass({ root, writer, watched: this.#watched, mayIndex: this.#judges.mayIndex }),
      ranking: new PartRanking(new Statements(sqlite), root),
      vectors:
        embeddings === undefined
          ? undefined
          : new PartVectors({ sqlite, root, settings: embeddings, maySend: this.#judges.maySend }),
      close: () => sqlite.close(),
    };
  }
}

interface OpenParts {
  readonly pass: IndexPass;
  readonly ranking: PartRanking;
  readonly vectors: PartVectors | undefined;
  readonly close: () => void;
}

const DAMAGED = 'The index was damaged, and is built anew.';

/** Two lists as one: what is high in either comes early, what is high in both first. */
function merge(byWords: readonly RankedPart[], nearest: readonly RankedPart[]): RankedPart[] {
  const merged = new Map<number, RankedPart>();
  for (const list of [byWords, nearest]) {
    for (const [rank, found] of list.entries()) {
      const known = merged.get(found.part);
      merged.set(found.part, { ...found, score: (known?.score ?? 0) + 1 / (RANK_OFFSET + rank + 1) });
    }
  }
  return [...merged.values()].sort(bestFirst);
}

/** Somebody who names an ignored folder wants to know what is in it. */
function notIndexed(path: string): string {
  return `Nothing at ${JSON.stringify(path)} is in the index.`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
