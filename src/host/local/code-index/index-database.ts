/**
 * The index of a workspace as a file: which files it knows in which version, the parts they fall into, and the words of each part.
 * The texts themselves are not in it. It can always be built anew, so one that is damaged or of another form is thrown away.
 */
import { readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';

/** One that was written in another way is of no use. */
const FORM = 1;
const PAGE_BYTES = 4_096;
const HELD_BYTES = 16 * 1024 * 1024;
const KEPT_MS = 30 * 86_400_000;
const BUSY_TIMEOUT_MS = 10_000;

const TABLES = `
  create table facts (name text primary key, value text not null) without rowid;
  create table files (id integer primary key, path text not null unique, folder text not null, version text not null);
  create index files_by_folder on files (folder);
  create table parts (id integer primary key, file integer not null, start integer not null, "end" integer not null);
  create index parts_by_file on parts (file);
  create virtual table words using fts5 (
    symbols, path, text, content = '', contentless_delete = 1, tokenize = 'unicode61'
  );
  create table vectors (part integer primary key, vector blob not null);
`;

export interface OpenIndex {
  readonly sqlite: DatabaseSync;
  /** Whether there was one that could not be used. */
  readonly wasDamaged: boolean;
}

/** Opens the index, or makes it. */
export function openIndex(path: string, quotaBytes: number): OpenIndex {
  try {
    return { sqlite: open(path, quotaBytes), wasDamaged: false };
  } catch (error) {
    if (!isDamage(error) && codeOf(error) !== SQLITE_ERROR) throw error;
    removeIndex(path);
    return { sqlite: open(path, quotaBytes), wasDamaged: true };
  }
}

/** Whoever still has it open goes on with what was there. */
export function removeIndex(path: string): void {
  for (const ending of ['', '-wal', '-shm']) rmSync(path + ending, { force: true });
}

/** Marks an index as used, and removes those beside it that nobody used for long. */
export function removeUnused(path: string, now: Date): void {
  utimesSync(path, now, now);
  const folder = dirname(path);
  for (const name of readdirSync(folder).filter((entry) => entry.endsWith('.sqlite'))) {
    const stat = statSync(join(folder, name), { throwIfNoEntry: false });
    if (stat !== undefined && now.getTime() - stat.mtimeMs > KEPT_MS) removeIndex(join(folder, name));
  }
}

function open(path: string, quotaBytes: number): DatabaseSync {
  const sqlite = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    sqlite.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma cache_size = -16000;');
    if (formOf(sqlite) !== FORM) makeTables(sqlite);
    // What is held back until it is written: larger pieces have to be merged less often.
    sqlite.exec(`insert into words (words, rank) values ('hashsize', ${HELD_BYTES})`);
    sqlite.exec(`pragma max_page_count = ${Math.floor(quotaBytes / PAGE_BYTES)}`);
    // What is damaged is seen here, not in the middle of an answer.
    sqlite.exec(
      'select count(*) from facts; select path from files limit 1; select rowid from words limit 1;',
    );
    return sqlite;
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

/** Two that start at the same moment make them once. */
function makeTables(sqlite: DatabaseSync): void {
  sqlite.exec('begin immediate');
  const form = formOf(sqlite);
  if (form === 0) sqlite.exec(`${TABLES} pragma user_version = ${FORM};`);
  sqlite.exec('commit');
  if (form !== 0 && form !== FORM) throw new OtherForm();
}

function formOf(sqlite: DatabaseSync): number {
  return Number(sqlite.prepare('pragma user_version').get()?.['user_version']);
}

class OtherForm extends Error {}

/** Such as a table that is not there. */
const SQLITE_ERROR = 1;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_NOTADB = 26;

/** Whether an error says that the file is not, or no longer, an index. */
export function isDamage(error: unknown): boolean {
  return error instanceof OtherForm || [SQLITE_CORRUPT, SQLITE_NOTADB].includes(codeOf(error));
}

/** Whether the index may not grow any more. */
export function isFull(error: unknown): boolean {
  return codeOf(error) === SQLITE_FULL;
}

function codeOf(error: unknown): number {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : -1;
}

/** Runs a piece of work as one change. */
export function inTransaction(sqlite: DatabaseSync, work: () => void): void {
  sqlite.exec('begin immediate');
  try {
    work();
    sqlite.exec('commit');
  } catch (error) {
    if (sqlite.isTransaction) sqlite.exec('rollback');
    throw error;
  }
}

/** Statements by their text, each prepared once. */
export class Statements {
  readonly #sqlite: DatabaseSync;
  readonly #known = new Map<string, StatementSync>();

  constructor(sqlite: DatabaseSync) {
    this.#sqlite = sqlite;
  }

  get(sql: string): StatementSync {
    const known = this.#known.get(sql) ?? this.#sqlite.prepare(sql);
    this.#known.set(sql, known);
    return known;
  }
}
