/** Puts files into the index and takes them out again, many at once. */
import type { DatabaseSync } from 'node:sqlite';
import { wordsOf } from '../../../code-words.ts';
import type { Root } from '../root.ts';
import { definitionsIn } from './definitions.ts';
import { inTransaction, Statements } from './index-database.ts';
import { readText } from './read-text.ts';
import { splitParts } from './split-parts.ts';

export class IndexWriter {
  readonly #sqlite: DatabaseSync;
  readonly #statements: Statements;
  readonly #root: Root;

  constructor(sqlite: DatabaseSync, root: Root) {
    this.#sqlite = sqlite;
    this.#statements = new Statements(sqlite);
    this.#root = root;
  }

  /** Files of a folder that are in the index, with their versions. */
  filesIn(folder: string): Map<string, string> {
    const rows = this.#statements.get('select path, version from files where folder = ?').all(folder);
    return new Map(rows.map(({ path, version }) => [String(path), String(version)]));
  }

  /** All files that are in the index. */
  allFiles(): string[] {
    return this.#statements
      .get('select path from files')
      .all()
      .map(({ path }) => String(path));
  }

  /** The folders of files that are in the index. */
  folders(): string[] {
    return this.#statements
      .get('select distinct folder from files')
      .all()
      .map(({ folder }) => String(folder));
  }

  remove(paths: readonly string[]): void {
    if (paths.length > 0) inTransaction(this.#sqlite, () => paths.forEach((path) => this.#remove(path)));
  }

  /** Brings some files into the index as they are now. */
  update(paths: readonly string[]): void {
    inTransaction(this.#sqlite, () => paths.forEach((path) => this.#update(path)));
  }

  #update(path: string): void {
    const known = this.#statements.get('select version from files where path = ?').get(path)?.['version'];
    const read = readText(this.#root, path, known === undefined ? undefined : String(known));
    // Another process builds the same index.
    if (read === 'known') return;
    this.#remove(path);
    if (read === undefined) return;
    const { lines, version } = read;
    const { lastInsertRowid: file } = this.#statements
      .get('insert into files (path, folder, version) values (?, ?, ?)')
      .run(path, folderOf(path), version);
    const definitions = definitionsIn(lines, path);
    const pathWords = wordsOf(path).join(' ');
    for (const { start, end } of splitParts(lines, definitions)) {
      const { lastInsertRowid: part } = this.#statements
        .get('insert into parts (file, start, "end") values (?, ?, ?)')
        .run(file, start, end);
      const names = definitions.filter(({ line }) => line >= start && line < end).map(({ name }) => name);
      this.#statements
        .get('insert into words (rowid, symbols, path, text) values (?, ?, ?, ?)')
        .run(
          part,
          wordsOf(names.join(' ')).join(' '),
          pathWords,
          wordsOf(lines.slice(start, end).join('\n')).join(' '),
        );
    }
  }

  #remove(path: string): void {
    const file = this.#statements.get('select id from files where path = ?').get(path)?.['id'];
    if (file === undefined) return;
    const parts = 'select id from parts where file = ?';
    this.#statements.get(`delete from words where rowid in (${parts})`).run(file);
    this.#statements.get(`delete from vectors where part in (${parts})`).run(file);
    this.#statements.get('delete from parts where file = ?').run(file);
    this.#statements.get('delete from files where id = ?').run(file);
  }
}

/** The folder a path lies in. */
export function folderOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash === -1 ? '.' : path.slice(0, slash);
}
