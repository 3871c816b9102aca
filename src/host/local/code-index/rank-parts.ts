/**
 * Ranks parts for a question. SQLite says which have its words, weighed by how rare they are; of the best of them the texts are
 * read again, as they are now, and judged by what SQLite can't see: all words, their order, what is defined, what the file is called.
 */
import { questionWords, wordsOf } from '../../../code-words.ts';
import type { CodePart, CodeQuestion } from '../../code-index-ports.ts';
import type { Root } from '../root.ts';
import { bestLines, shownText, symbolOf } from './best-lines.ts';
import type { Statements } from './index-database.ts';
import { readText } from './read-text.ts';
import type { Span } from './split-parts.ts';

/** So many are read again at least, and so many for each part that is wanted. */
const FEWEST_CANDIDATES = 40;
const CANDIDATES_OF_ONE = 4;
/** Words that are in more parts than this say nothing where there are others. */
const COMMON_SHARE = 0.1;
const MOST_WORDS = 32;
const MOST_OF_A_FILE = 3;
const WEIGHTS = { symbols: 6, path: 3, text: 1 };
const WORTH = { covered: 1.2, phrase: 0.5, symbol: 1.2, path: 0.5, test: -0.3 };
const TESTS =
  /(?:^|[/_.-])(?:tests?|specs?|__tests__|testing|fixtures?|mocks?|examples?|benchmarks?)(?:[/_.-]|$)/i;

/** A part as the index knows it. */
export interface Candidate extends Span {
  readonly part: number;
  readonly path: string;
  readonly version: string;
  /** How well its words fit. */
  readonly fit: number;
}

/** A part that was read again. */
export interface RankedPart extends Span {
  readonly part: number;
  readonly path: string;
  /** All lines of its file. */
  readonly lines: readonly string[];
  readonly score: number;
  readonly symbol: string | undefined;
}

export class PartRanking {
  readonly #statements: Statements;
  readonly #root: Root;

  constructor(statements: Statements, root: Root) {
    this.#statements = statements;
    this.#root = root;
  }

  /** Whether anything at or below a path is in the index. */
  knows(path: string): boolean {
    const { sql, values } = below([path]);
    const found = this.#statements.get(`select 1 from files where 1 ${sql} limit 1`).get(...values);
    return path === '.' || found !== undefined;
  }

  /** The parts that answer best by their words. */
  byWords({ question, paths, limit }: Omit<CodeQuestion, 'signal'>): RankedPart[] {
    const words = this.#telling(questionWords(question).slice(0, MOST_WORDS));
    if (words.length === 0) return [];
    return this.read(
      this.#candidates(words, paths, Math.max(FEWEST_CANDIDATES, limit * CANDIDATES_OF_ONE)),
      question,
    ).sort(bestFirst);
  }

  /** Candidates with their texts, in the same order; those that are no longer what was indexed are left out. */
  read(candidates: readonly Candidate[], question: string): RankedPart[] {
    const words = new Set(questionWords(question));
    const phrase = wordsOf(question).join(' ');
    const files = new Map<string, readonly string[] | undefined>();
    const highest = Math.max(...candidates.map(({ fit }) => fit));
    return candidates.flatMap((candidate) => {
      if (!files.has(candidate.path)) files.set(candidate.path, this.#linesOf(candidate));
      const lines = files.get(candidate.path);
      if (lines === undefined || lines.length < candidate.end) return [];
      return [judge(candidate, lines, { words, phrase, highest })];
    });
  }

  #linesOf({ path, version }: Candidate): readonly string[] | undefined {
    const read = readText(this.#root, path);
    if (read === undefined || read === 'known' || (version !== 'missing' && version !== read.version))
      return undefined;
    return read.lines;
  }

  #candidates(words: readonly string[], paths: readonly string[], most: number): Candidate[] {
    const { symbols, path, text } = WEIGHTS;
    const { sql, values } = below(paths);
    // Only what is left of very many is looked up in the other tables.
    const inPaths = `rowid in (select parts.id from files join parts on parts.file = files.id where 1 ${sql})`;
    return this.#statements
      .get(
        `select parts.id as part, parts.start, parts."end", files.path, files.version, fit
         from (
           select rowid, -rank as fit from words
           where words match ? and rank match 'bm25(${symbols}, ${path}, ${text})' ${sql === '' ? '' : `and ${inPaths}`}
           order by rank limit ?
         ) as best join parts on parts.id = best.rowid join files on files.id = parts.file
         order by fit desc, part`,
      )
      .all(words.map((word) => `"${word}"`).join(' OR '), ...values, most)
      .map((row) => row as unknown as Candidate);
  }

  /** The words without those that nearly every part has. */
  #telling(words: readonly string[]): string[] {
    if (words.length < 2) return [...words];
    // About as many as there are: counting them takes longer than finding some.
    const total = Number(this.#statements.get('select max(id) as n from parts').get()!['n']);
    const counted = words.map((word) => ({ word, count: this.#count(word, total * COMMON_SHARE) }));
    const rare = counted.filter(({ count }) => count > 0 && count <= total * COMMON_SHARE);
    return (rare.length > 0 ? rare : counted).map(({ word }) => word);
  }

  #count(word: string, most: number): number {
    const limit = Math.ceil(most) + 1;
    const sql = 'select count(*) as n from (select 1 from words where words match ? limit ?)';
    return Number(this.#statements.get(sql).get(`"${word}"`, limit)!['n']);
  }
}

interface Asked {
  readonly words: ReadonlySet<string>;
  readonly phrase: string;
  readonly highest: number;
}

function judge(
  candidate: Candidate,
  lines: readonly string[],
  { words, phrase, highest }: Asked,
): RankedPart {
  const { path, part, start, end } = candidate;
  const own = wordsOf(lines.slice(start, end).join('\n'));
  const symbol = symbolOf(lines, candidate, words);
  const inPath = new Set(wordsOf(path));
  const has = new Set([...own, ...inPath]);
  const share = (found: ReadonlySet<string>): number =>
    [...words].filter((word) => found.has(word)).length / Math.max(words.size, 1);
  const hasPhrase = words.size > 1 && ` ${own.join(' ')} `.includes(` ${phrase} `);
  const isTest = TESTS.test(path) && !words.has('test');
  const score =
    (highest > 0 ? candidate.fit / highest : 0) +
    WORTH.covered * share(has) ** 2 +
    WORTH.phrase * Number(hasPhrase) +
    WORTH.symbol * (symbol?.fit ?? 0) +
    WORTH.path * share(inPath) +
    WORTH.test * Number(isTest);
  return { part, path, start, end, lines, score, symbol: symbol?.name };
}

/** A part as it is shown: the best of its lines. */
export function toShow({ path, start, end, lines, score, symbol }: RankedPart, question: string): CodePart {
  const shown = bestLines(lines, { start, end }, new Set(questionWords(question)));
  return {
    path,
    startLine: shown.start + 1,
    endLine: shown.end,
    text: shownText(lines, shown),
    score: Math.round(score * 10_000) / 10_000,
    ...(symbol === undefined ? {} : { symbol }),
  };
}

/** A condition for files at or below some paths. */
export function below(paths: readonly string[]): { sql: string; values: string[] } {
  if (paths.includes('.')) return { sql: '', values: [] };
  const one = '(files.path = ? or (files.path > ? and files.path < ?))';
  return {
    sql: `and (${paths.map(() => one).join(' or ')})`,
    // The character behind a slash.
    values: paths.flatMap((path) => [path, `${path}/`, `${path}0`]),
  };
}

/** The same question has the same answer: what is equally good comes in the order of its names. */
export function bestFirst(one: RankedPart, other: RankedPart): number {
  if (one.score !== other.score) return other.score - one.score;
  if (one.path !== other.path) return one.path < other.path ? -1 : 1;
  return one.start - other.start;
}

/** So that one file does not fill an answer. */
export function fewOfEachFile(ranked: readonly RankedPart[]): RankedPart[] {
  const seen = new Map<string, number>();
  return ranked.filter(({ path }) => {
    const count = (seen.get(path) ?? 0) + 1;
    seen.set(path, count);
    return count <= MOST_OF_A_FILE;
  });
}
