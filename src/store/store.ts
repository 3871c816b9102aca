/**
 * The embedded store: one SQLite file in WAL mode that every Handrail process on the machine shares. Opening
 * brings it to the current tables; a damaged file, or one from a newer Handrail, is a failure that changes nothing.
 */
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { Kysely, SqliteDialect, type SqliteDatabase } from 'kysely';
import { Failure } from '../failure.ts';
import { MIGRATIONS, type Tables } from './tables.ts';

export type Database = Kysely<Tables>;

export interface Store extends AsyncDisposable {
  readonly database: Database;
}

const BUSY_TIMEOUT_MS = 10_000;

/** Opens the store at a path that exists and is private. */
export function openStore(path: string): Store {
  const connection = openConnection(path);
  const database = new Kysely<Tables>({
    dialect: new SqliteDialect({ database: forKysely(connection, path) }),
  });
  return {
    database,
    async [Symbol.asyncDispose]() {
      await database.destroy();
      if (connection.isOpen) connection.close();
    },
  };
}

function openConnection(path: string): DatabaseSync {
  try {
    const connection = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
    connection.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma foreign_keys = on;');
    migrate(connection, path);
    return connection;
  } catch (error) {
    throw storeFailure(error, path);
  }
}

/** One process migrates; the others wait for its transaction and then find nothing to do. */
function migrate(connection: DatabaseSync, path: string): void {
  if (versionOf(connection) === MIGRATIONS.length) return;
  connection.exec('begin immediate');
  try {
    const version = versionOf(connection);
    if (version > MIGRATIONS.length) {
      throw new Failure('E_UNSUPPORTED', `The store ${JSON.stringify(path)} was made by a newer Handrail.`, {
        hint: 'Use that version, or set XDG_STATE_HOME to another folder.',
      });
    }
    for (const step of MIGRATIONS.slice(version)) connection.exec(step);
    connection.exec(`pragma user_version = ${MIGRATIONS.length}`);
    connection.exec('commit');
  } catch (error) {
    connection.exec('rollback');
    connection.close();
    throw error;
  }
}

function versionOf(connection: DatabaseSync): number {
  return Number(connection.prepare('pragma user_version').get()?.['user_version']);
}

/** Kysely speaks to better-sqlite3; node:sqlite differs in how parameters are given. */
function forKysely(connection: DatabaseSync, path: string): SqliteDatabase {
  const guarded = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      throw storeFailure(error, path);
    }
  };
  return {
    close: () => connection.close(),
    prepare(sql) {
      // A deferred transaction that reads before it writes fails under concurrency instead of waiting.
      const statement = guarded(() => connection.prepare(sql === 'begin' ? 'begin immediate' : sql));
      return {
        reader: statement.columns().length > 0,
        all: (parameters) => guarded(() => statement.all(...(parameters as SQLInputValue[]))),
        run: (parameters) => guarded(() => statement.run(...(parameters as SQLInputValue[]))),
        iterate: (parameters) => statement.iterate(...(parameters as SQLInputValue[])),
      };
    },
  };
}

const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_NOTADB = 26;

/** What an error of SQLite means, as a failure. */
function storeFailure(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || !('errcode' in error)) return error;
  const primary = Number(error.errcode) & 0xff;
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
