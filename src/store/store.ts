/**
 * The embedded store: one SQLite file in WAL mode that every Handrail process on the machine shares. Opening
 * brings it to the current tables; a damaged file, or one from a newer Handrail, is a failure that changes nothing.
 */
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { Kysely, SqliteDialect, type SqliteDatabase } from 'kysely';
import { Failure } from '../failure.ts';
import { MIGRATIONS } from './migrations.ts';
import type { Tables } from './tables.ts';

export type Database = Kysely<Tables>;

export interface Store extends AsyncDisposable {
  readonly database: Database;
}

const BUSY_TIMEOUT_MS = 10_000;
const RETRY_MS = 20;

/** One connection a file and process; `users` counts who has it open. */
interface Connection {
  readonly file: string;
  readonly sqlite: DatabaseSync;
  readonly database: Database;
  users: number;
}

/** A second connection would wait for a transaction of the first on the very thread that has to end it. */
const connections = new Map<string, Connection>();

/** Opens the store at a path that exists and is private. Whoever opens it in this process shares the connection. */
export function openStore(path: string): Store {
  const connection = connect(path);
  connection.users++;
  let isOpen = true;
  return {
    database: connection.database,
    async [Symbol.asyncDispose]() {
      if (!isOpen) return;
      isOpen = false;
      if (--connection.users === 0) await close(connection);
    },
  };
}

function connect(path: string): Connection {
  let sqlite: DatabaseSync | undefined;
  try {
    sqlite = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
    // SQLite's own name for the file: the same one for every spelling of the path.
    const file = sqlite.location() ?? path;
    const known = connections.get(file);
    if (known !== undefined) {
      sqlite.close();
      return known;
    }
    prepare(sqlite, path);
    const database = new Kysely<Tables>({
      dialect: new SqliteDialect({ database: forKysely(sqlite, path) }),
    });
    const connection: Connection = { file, sqlite, database, users: 0 };
    connections.set(file, connection);
    return connection;
  } catch (error) {
    if (sqlite?.isOpen === true) sqlite.close();
    throw storeFailure(error, path);
  }
}

async function close({ file, sqlite, database }: Connection): Promise<void> {
  connections.delete(file);
  await database.destroy();
  if (sqlite.isOpen) sqlite.close();
}

function prepare(sqlite: DatabaseSync, path: string): void {
  refuseNewer(sqlite, path);
  enterWal(sqlite);
  // What was deleted may have been a secret that a question showed: it is overwritten, not only forgotten.
  sqlite.exec('pragma synchronous = normal; pragma foreign_keys = on; pragma secure_delete = on;');
  migrate(sqlite);
}

/** A store of a later Handrail is not touched at all. */
function refuseNewer(sqlite: DatabaseSync, path: string): void {
  if (versionOf(sqlite) <= MIGRATIONS.length) return;
  throw new Failure('E_UNSUPPORTED', `The store ${JSON.stringify(path)} was made by a newer Handrail.`, {
    hint: 'Use that version, or set XDG_STATE_HOME to another folder.',
  });
}

/** The switch to WAL does not wait for others who make it at the same moment, so the waiting is done here. */
function enterWal(sqlite: DatabaseSync): void {
  for (let waited = 0; ; waited += RETRY_MS) {
    try {
      sqlite.exec('pragma journal_mode = wal');
      return;
    } catch (error) {
      if (primaryCode(error) !== SQLITE_BUSY || waited > BUSY_TIMEOUT_MS) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
    }
  }
}

/** One process migrates; the others wait for its transaction and then find nothing to do. */
function migrate(sqlite: DatabaseSync): void {
  if (versionOf(sqlite) === MIGRATIONS.length) return;
  sqlite.exec('begin immediate');
  try {
    for (const step of MIGRATIONS.slice(versionOf(sqlite))) sqlite.exec(step);
    sqlite.exec(`pragma user_version = ${MIGRATIONS.length}`);
    sqlite.exec('commit');
  } catch (error) {
    if (sqlite.isTransaction) sqlite.exec('rollback');
    throw error;
  }
}

function versionOf(sqlite: DatabaseSync): number {
  return Number(sqlite.prepare('pragma user_version').get()?.['user_version']);
}

/** Kysely speaks to better-sqlite3; node:sqlite differs in how parameters are given. */
function forKysely(sqlite: DatabaseSync, path: string): SqliteDatabase {
  const guarded = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      throw storeFailure(error, path);
    }
  };
  const prepared = new PreparedStatements(sqlite);
  return {
    close: () => sqlite.close(),
    prepare(sql) {
      // A full disk ends a transaction by itself; to roll it back again would hide why.
      if (sql === 'rollback' && !sqlite.isTransaction) return nothingToDo;
      // A deferred transaction that reads before it writes fails under concurrency instead of waiting.
      const statement = guarded(() => prepared.get(sql === 'begin' ? 'begin immediate' : sql));
      return {
        reader: statement.columns().length > 0,
        all: (parameters) => guarded(() => statement.all(...(parameters as SQLInputValue[]))),
        run: (parameters) => guarded(() => statement.run(...(parameters as SQLInputValue[]))),
        // One that is walked through can't be run again meanwhile.
        iterate: (parameters) => sqlite.prepare(sql).iterate(...(parameters as SQLInputValue[])),
      };
    },
  };
}

/** Statements are written by few hands, and used over and over. */
class PreparedStatements {
  readonly #sqlite: DatabaseSync;
  readonly #known = new Map<string, StatementSync>();

  constructor(sqlite: DatabaseSync) {
    this.#sqlite = sqlite;
  }

  get(sql: string): StatementSync {
    const known = this.#known.get(sql) ?? this.#sqlite.prepare(sql);
    // Lists of values make statements of any length; those are not worth keeping.
    if (this.#known.size < MAX_STATEMENTS) this.#known.set(sql, known);
    return known;
  }
}

const MAX_STATEMENTS = 200;

const nothingToDo: ReturnType<SqliteDatabase['prepare']> = {
  reader: false,
  all: () => [],
  run: () => ({ changes: 0, lastInsertRowid: 0 }),
  iterate: () => [][Symbol.iterator](),
};

const SQLITE_BUSY = 5;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_NOTADB = 26;

/** What an error of SQLite means, as a failure. */
function storeFailure(error: unknown, path: string): unknown {
  const primary = primaryCode(error);
  if (!(error instanceof Error) || primary === undefined) return error;
  const shown = JSON.stringify(path);
  if (primary === SQLITE_CORRUPT || primary === SQLITE_NOTADB) {
    return new Failure('E_IO', `The store ${shown} is damaged: ${error.message}.`, {
      hint: 'Nothing was changed. Move the file away and start again; the audit files beside it stay valid.',
      cause: error,
    });
  }
  if (primary === SQLITE_FULL)
    return new Failure('E_IO', `The disk is full; the store ${shown} could not be written.`, {
      cause: error,
    });
  return new Failure('E_IO', `The store ${shown} could not be used: ${error.message}.`, { cause: error });
}

/** SQLite's primary result code; undefined for errors that are not SQLite's. */
function primaryCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined;
}
