/** Sheets as text: a heading, what is to be known about the sheet, then its rows with tabs between the cells. */
import type { CellObject } from '@e965/xlsx';
import { cellText } from './cells.ts';

/** A sheet, with those of its rows that were parsed. */
export interface ReadSheet {
  readonly name: string;
  readonly visibility: Visibility;
  /** Rows and in them cells, both by their number less one; most are missing. */
  readonly rows: ArrayLike<ArrayLike<CellObject> | undefined>;
  readonly from: number;
  /** The last row that was parsed. */
  readonly to: number;
  readonly total: number;
  readonly hasImpossible: boolean;
  readonly hiddenRows: readonly number[];
  readonly hiddenColumns: readonly (readonly [from: number, to: number])[];
  readonly merged: readonly string[];
}

export type Visibility = 'visible' | 'hidden' | 'very hidden';

export interface SheetText {
  readonly text: string;
  /** The last row that is in the text. */
  readonly to: number;
  readonly isCut: boolean;
}

const LAST_COLUMN = 16_384;
/** More empty rows than this are counted and not shown. */
const SHOWN_GAP = 3;
const MAX_LISTED = 50;

/** The text of a sheet, of about so many characters: at least a row is given, and cut where it is too long. */
export function sheetText(
  sheet: ReadSheet,
  limits: { readonly maxColumns: number; readonly maxCharacters: number; readonly startsIn1904: boolean },
): SheetText {
  const lines: string[] = [];
  let [room, previous, to] = [limits.maxCharacters, sheet.from - 1, sheet.from - 1];
  let isCut = false;
  let isNarrowed = false;
  for (const number of numbersOf(sheet.rows)) {
    if (number < sheet.from) continue;
    const row = rowText(sheet.rows[number - 1]!, limits.maxColumns, limits.startsIn1904);
    const gap = gapText(previous + 1, number - 1);
    const length = row.text.length + 1 + gap.reduce((sum, line) => sum + line.length + 1, 0);
    if (length > room && lines.length > 0) {
      isCut = true;
      break;
    }
    isCut ||= row.text.length > room;
    lines.push(...gap, row.text.slice(0, Math.max(0, room)));
    room -= length;
    isNarrowed ||= row.isNarrowed;
    [previous, to] = [number, number];
  }
  // What was parsed and says nothing is behind us as well.
  if (!isCut) to = Math.max(to, sheet.to);
  isCut ||= to < sheet.total;
  const facts = factsOf(sheet, to, isNarrowed ? limits.maxColumns : undefined);
  const heading = [`# Sheet: ${sheet.name}`, ...(facts.length === 0 ? [] : [`(${facts.join('; ')})`])];
  return { text: [...heading, ...lines].join('\n'), to, isCut: isCut || isNarrowed };
}

/** Which rows there are; the list may have gaps of any size. */
function numbersOf(rows: ReadSheet['rows']): number[] {
  return Object.keys(rows)
    .map((key) => Number(key) + 1)
    .filter((number) => Number.isInteger(number) && rows[number - 1] !== undefined);
}

function rowText(
  cells: ArrayLike<CellObject>,
  maxColumns: number,
  startsIn1904: boolean,
): { text: string; isNarrowed: boolean } {
  const texts: string[] = [];
  let isNarrowed = false;
  for (const key of Object.keys(cells)) {
    const index = Number(key);
    if (!(index < LAST_COLUMN)) continue;
    const text = cellText(cells[index]!, startsIn1904);
    if (text === '') continue;
    if (index < maxColumns) texts[index] = text;
    else isNarrowed = true;
  }
  return { text: Array.from(texts, (text) => text ?? '').join('\t'), isNarrowed };
}

function gapText(from: number, to: number): string[] {
  const rows = to - from + 1;
  if (rows <= SHOWN_GAP) return Array.from({ length: Math.max(0, rows) }, () => '');
  return [`(rows ${from} to ${to} are empty)`];
}

function factsOf(sheet: ReadSheet, to: number, lastColumn: number | undefined): string[] {
  const { from, total, visibility } = sheet;
  const merged = sheet.merged.filter((range) => touches(range, from, to));
  const hiddenRows = sheet.hiddenRows.filter((row) => row >= from && row <= to);
  return [
    visibility === 'visible' ? '' : `${visibility} sheet`,
    total === 0 ? 'empty' : '',
    total > 0 && from > total ? `it ends at row ${total}` : '',
    from <= to && (from > 1 || to < total) ? `rows ${from} to ${to} of ${total}` : '',
    lastColumn === undefined ? '' : `columns after ${columnName(lastColumn)} left out`,
    sheet.hasImpossible ? 'rows beyond the last one of any sheet left out' : '',
    listed('merged', merged),
    listed('hidden rows', spans(hiddenRows)),
    listed('hidden columns', sheet.hiddenColumns.map(columnSpan)),
  ].filter((fact) => fact !== '');
}

function listed(what: string, items: readonly string[]): string {
  if (items.length === 0) return '';
  const more = items.length > MAX_LISTED ? ` and ${items.length - MAX_LISTED} more` : '';
  return `${what}: ${items.slice(0, MAX_LISTED).join(', ')}${more}`;
}

function touches(range: string, from: number, to: number): boolean {
  const rows = (range.match(/\d+/g) ?? []).map(Number);
  return rows.length > 0 && rows[0]! <= to && rows.at(-1)! >= from;
}

/** Numbers in ascending order, those in a row as one. */
function spans(numbers: readonly number[]): string[] {
  const found: [number, number][] = [];
  for (const number of numbers) {
    const last = found.at(-1);
    if (last !== undefined && last[1] === number - 1) last[1] = number;
    else found.push([number, number]);
  }
  return found.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`));
}

function columnSpan([from, to]: readonly [number, number]): string {
  const last = Math.min(to, LAST_COLUMN);
  return from >= last ? columnName(from) : `${columnName(from)}-${columnName(last)}`;
}

function columnName(number: number): string {
  if (!(number >= 1)) return '';
  const rest = (number - 1) % 26;
  return columnName((number - 1 - rest) / 26) + String.fromCharCode(65 + rest);
}
