/** The statements of a TOML text, each with where it stands. Values are only looked at as far as their end must be known. */
import { Unusable } from './change.ts';

/** A header of a table, or a key with its value. Comments and blank lines stand between statements. */
export interface Statement {
  readonly kind: 'header' | 'pair';
  /** The names from the root, those of the table included. */
  readonly path: readonly string[];
  /** The table it stands in; of a header, its own. */
  readonly table: readonly string[];
  /** From the start of its first line to the start of the line behind it. */
  readonly start: number;
  readonly end: number;
  /** Where the value of a pair stands; of a header, nothing. */
  readonly valueStart: number;
  readonly valueEnd: number;
}

const BARE = /[\w-]+/y;
const BASIC = /"(?:[^"\\\n\r]|\\.)*"/y;
const LITERAL = /'[^'\n\r]*'/y;
const LONG_BASIC = /"""(?:[^\\]|\\[^])*?"""(?:"{0,2})/y;
const LONG_LITERAL = /'''[^]*?'''(?:'{0,2})/y;
/** Numbers, dates and truth values; a date may hold one blank. */
const PLAIN = /(?:true|false|[+-]?(?:inf|nan|\d[\w.:+-]*(?: \d\d:[\w.:+-]*)?))(?![\w.])/y;
const BLANKS = /[ \t]*/y;
const BLANKS_AND_LINES = /(?:[ \t\r\n]|#[^\n]*)*/y;
const LINE_END = /[ \t]*(?:#[^\n\r]*)?(?:\r?\n|$)/y;

/** Reads all statements; a text that is no TOML is unusable. */
export function readStatements(text: string): Statement[] {
  const reader = new Reader(text);
  const statements: Statement[] = [];
  let table: readonly string[] = [];
  while (!reader.isAtEnd()) {
    if (reader.take(LINE_END) !== undefined) continue;
    const start = reader.at;
    reader.take(BLANKS);
    const isHeader = reader.takeText('[');
    if (isHeader) table = reader.header();
    const path = isHeader ? table : [...table, ...reader.key()];
    const [valueStart, valueEnd] = isHeader ? [reader.at, reader.at] : reader.assigned();
    if (reader.take(LINE_END) === undefined) reader.fail();
    const kind = isHeader ? 'header' : 'pair';
    statements.push({ kind, path, table, start, end: reader.at, valueStart, valueEnd });
  }
  return statements;
}

class Reader {
  readonly #text: string;
  at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  isAtEnd(): boolean {
    return this.at >= this.#text.length;
  }

  take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.#text)?.[0];
    this.at += found?.length ?? 0;
    return found;
  }

  takeText(text: string): boolean {
    const isThere = this.#text.startsWith(text, this.at);
    if (isThere) this.at += text.length;
    return isThere;
  }

  /** Behind the first bracket. */
  header(): string[] {
    const closing = this.takeText('[') ? ']]' : ']';
    const path = this.key();
    if (!this.takeText(closing)) this.fail();
    return path;
  }

  /** Names with dots between them. */
  key(): string[] {
    const names: string[] = [];
    do {
      this.take(BLANKS);
      names.push(this.#name());
      this.take(BLANKS);
    } while (this.takeText('.'));
    return names;
  }

  /** The value behind an equals sign. */
  assigned(): [start: number, end: number] {
    if (!this.takeText('=')) this.fail();
    this.take(BLANKS);
    const start = this.at;
    this.#value();
    return [start, this.at];
  }

  fail(): never {
    throw new Unusable(`line ${this.#text.slice(0, this.at).split('\n').length} is no TOML`);
  }

  #name(): string {
    const bare = this.take(BARE);
    if (bare !== undefined) return bare;
    const literal = this.take(LITERAL);
    if (literal !== undefined) return literal.slice(1, -1);
    return unescape(this.take(BASIC) ?? this.fail());
  }

  #value(): void {
    if (this.takeText('[')) this.#items(']', () => this.#value());
    else if (this.takeText('{')) this.#items('}', () => void [this.key(), this.assigned()]);
    else if ([LONG_BASIC, LONG_LITERAL, BASIC, LITERAL, PLAIN].every((form) => this.take(form) === undefined))
      this.fail();
  }

  #items(closing: string, item: () => void): void {
    this.take(BLANKS_AND_LINES);
    while (!this.takeText(closing)) {
      item();
      this.take(BLANKS_AND_LINES);
      if (!this.takeText(',') && !this.#text.startsWith(closing, this.at)) this.fail();
      this.take(BLANKS_AND_LINES);
    }
  }
}

/** The escapes of names are those of JSON, but for a few that no name needs. */
function unescape(quoted: string): string {
  try {
    return JSON.parse(quoted.replaceAll('\t', '\\t')) as string;
  } catch {
    return quoted;
  }
}
