/** What the command line prints. */
import { shown } from '../shown.ts';

/** Writes a line to stdout. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Writes a line to stderr: for people, never part of the data. */
export function note(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** JSON for a person or for a program. */
export function printJson(value: unknown, isTerminal: boolean): void {
  print(JSON.stringify(value, undefined, isTerminal ? 2 : undefined).replace(UNSAFE_IN_JSON, escaped));
}

/** What JSON leaves as it is, though a terminal would obey it. */
const UNSAFE_IN_JSON = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('');
}

/** Rows as columns. The last column is not padded. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [header, ...rows.map((row) => row.map(shown))];
  const widths = header.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  return all
    .map((row) =>
      row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column]!))).join('  '),
    )
    .join('\n');
}
