/** Settings in TOML, edited as text: only Handrail's own table and single keys; the rest is never written anew. */
import { type Change, type Format, Unusable, type Value } from './change.ts';
import { readStatements, type Statement } from './toml-text.ts';

export const tomlFormat: Format = {
  apply: (text, changes) => changes.reduce(apply, text ?? ''),
  withdraw(text, changes, before) {
    const rest = changes.reduce((all, change) => withdraw(all, change, before ?? ''), text);
    const isGone = before === undefined && rest !== text && rest.trim() === '';
    return isGone ? undefined : rest;
  },
};

function apply(text: string, change: Change): string {
  const value = valueOf(change);
  const statements = readStatements(text);
  if (isTable(value)) return applyTable(text, statements, change.at, value);
  refuseOtherForms(statements, change.at.slice(0, -1));
  const found = statements.find(({ kind, path }) => kind === 'pair' && isSame(path, change.at));
  if (found !== undefined)
    return text.slice(0, found.valueStart) + written(value) + text.slice(found.valueEnd);
  const table = change.at.slice(0, -1);
  const home = statements.findLast(({ path, kind }) =>
    kind === 'header' ? isSame(path, table) : isSame(path.slice(0, -1), table),
  );
  if (home === undefined) return appendTable(text, table, { [change.at.at(-1)!]: value });
  const line = `${change.at.slice(home.table.length).map(writtenName).join('.')} = ${written(value)}`;
  return insertLine(text, home.end, line);
}

function applyTable(
  text: string,
  statements: readonly Statement[],
  at: readonly string[],
  value: Readonly<Record<string, Value>>,
): string {
  refuseOtherForms(statements, at);
  const section = sectionOf(statements, at);
  if (section === undefined) return appendTable(text, at, value);
  const [{ end }] = section;
  const head = withLineEnd(text.slice(0, end), lineEndOf(text));
  return head + pairsOf(value, lineEndOf(text)) + text.slice(section.at(-1)!.end);
}

function withdraw(text: string, change: Change, before: string): string {
  const value = valueOf(change);
  const old = readStatements(before);
  if (isTable(value)) return withdrawTable(text, change.at, before, old);
  const found = readStatements(text).find(({ kind, path }) => kind === 'pair' && isSame(path, change.at));
  if (found === undefined || text.slice(found.valueStart, found.valueEnd) !== written(value)) return text;
  const was = old.find(({ kind, path }) => kind === 'pair' && isSame(path, change.at));
  if (was !== undefined) {
    const source = before.slice(was.valueStart, was.valueEnd);
    return text.slice(0, found.valueStart) + source + text.slice(found.valueEnd);
  }
  const rest = text.slice(0, found.start) + text.slice(found.end);
  const table = change.at.slice(0, -1);
  const section = sectionOf(readStatements(rest), table);
  const isOwn = section?.length === 1 && sectionOf(old, table) === undefined;
  return isOwn ? removeLines(rest, section) : rest;
}

/** The table becomes what it was; where it was not there, those below it go too. */
function withdrawTable(
  text: string,
  at: readonly string[],
  before: string,
  old: readonly Statement[],
): string {
  const statements = readStatements(text);
  const was = sectionOf(old, at);
  if (was === undefined) {
    return statements
      .filter(({ kind, path }) => kind === 'header' && isBelow(path, at))
      .reduceRight((all, { path }) => removeLines(all, sectionOf(statements, path)!), text);
  }
  const section = sectionOf(statements, at);
  if (section === undefined) return text;
  const source = before.slice(was[0].end, was.at(-1)!.end);
  return text.slice(0, section[0].end) + source + text.slice(section.at(-1)!.end);
}

/** A header and its pairs. */
function sectionOf(
  statements: readonly Statement[],
  at: readonly string[],
): [Statement, ...Statement[]] | undefined {
  const start = statements.findIndex(({ kind, path }) => kind === 'header' && isSame(path, at));
  if (start === -1) return undefined;
  const next = statements.findIndex(({ kind }, index) => kind === 'header' && index > start);
  return statements.slice(start, next === -1 ? undefined : next) as [Statement, ...Statement[]];
}

/** A table that is written within another one, in one line or by dotted keys, is not taken apart here. */
function refuseOtherForms(statements: readonly Statement[], at: readonly string[]): void {
  const name = at.map(writtenName).join('.');
  const isOther = statements.some(
    ({ kind, path, table }) =>
      kind === 'pair' && (isBelow(at, path) || (at.length > 1 && isBelow(path, at) && !isBelow(table, at))),
  );
  if (isOther) throw new Unusable(`"${name}" is not written as a table of its own, as in [${name}]`);
}

/** Takes lines away, and the blank line before them. */
function removeLines(text: string, lines: readonly [Statement, ...Statement[]]): string {
  const head = text.slice(0, lines[0].start).replace(/(^|\n)\r?\n$/, '$1');
  return head + text.slice(lines.at(-1)!.end);
}

function appendTable(text: string, at: readonly string[], value: Readonly<Record<string, Value>>): string {
  const lineEnd = lineEndOf(text);
  const head = withLineEnd(text, lineEnd);
  const gap = head === '' ? '' : lineEnd;
  return `${head}${gap}[${at.map(writtenName).join('.')}]${lineEnd}${pairsOf(value, lineEnd)}`;
}

function insertLine(text: string, offset: number, line: string): string {
  const lineEnd = lineEndOf(text);
  return `${withLineEnd(text.slice(0, offset), lineEnd)}${line}${lineEnd}${text.slice(offset)}`;
}

function withLineEnd(text: string, lineEnd: string): string {
  return text === '' || text.endsWith('\n') ? text : text + lineEnd;
}

function pairsOf(value: Readonly<Record<string, Value>>, lineEnd: string): string {
  return Object.entries(value)
    .map(([name, inner]) => `${writtenName(name)} = ${written(inner)}${lineEnd}`)
    .join('');
}

function lineEndOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** Strings of JSON, and lists of them, are strings and lists of TOML too. */
function written(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(written).join(', ')}]`;
  return JSON.stringify(value).replaceAll('\u007f', '\\u007f');
}

function writtenName(name: string): string {
  return /^[\w-]+$/.test(name) ? name : JSON.stringify(name);
}

function valueOf(change: Change): Value {
  if ('items' in change) throw new Error('no settings in TOML have lists of rules');
  return change.value;
}

function isTable(value: Value): value is { readonly [name: string]: Value } {
  return typeof value === 'object' && !Array.isArray(value);
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && isBelow(one, other);
}

/** Whether a path is this one, or leads further. */
function isBelow(path: readonly string[], at: readonly string[]): boolean {
  return at.length <= path.length && at.every((name, index) => path[index] === name);
}
