/** What a cell says, as text: values rather than how they are shown, dates as ISO 8601, no formula ever calculated. */
import { type CellObject, SSF } from '@e965/xlsx';

const ERRORS: Readonly<Record<number, string>> = {
  0x00: '#NULL!',
  0x07: '#DIV/0!',
  0x0f: '#VALUE!',
  0x17: '#REF!',
  0x1d: '#NAME?',
  0x24: '#NUM!',
  0x2a: '#N/A',
  0x2b: '#GETTING_DATA',
};
/** As many digits as spreadsheets keep. */
const DIGITS = 15;

/** The text of a cell, on one line; a formula without a value is the formula. */
export function cellText(cell: CellObject, startsIn1904: boolean): string {
  const { t: type, v: value, f: formula } = cell;
  if (type === 'n' && typeof value === 'number') return numberText(value, cell.z, startsIn1904);
  if (type === 'b') return value === true ? 'TRUE' : 'FALSE';
  if (type === 'e') return ERRORS[Number(value)] ?? '#ERROR';
  // A cell that was never calculated has a number that means nothing.
  if (type === 'z' || value === undefined || value === '')
    return formula === undefined ? '' : `=${oneLine(formula)}`;
  return oneLine(String(value));
}

interface DateParts {
  readonly y: number;
  readonly m: number;
  readonly d: number;
  readonly H: number;
  readonly M: number;
  readonly S: number;
}

function numberText(value: number, format: unknown, startsIn1904: boolean): string {
  const written = typeof format === 'string' ? format : 'General';
  // Hours beyond a day are an amount and no time of day.
  if (/\[[hms]+\]/i.test(written) || !(SSF.is_date(written) as boolean))
    return String(Number(value.toPrecision(DIGITS)));
  const parts = SSF.parse_date_code(value, { date1904: startsIn1904 }) as DateParts | null;
  if (parts === null) return String(value);
  const date = [String(parts.y).padStart(4, '0'), two(parts.m), two(parts.d)].join('-');
  const time = [parts.H, parts.M, Math.floor(parts.S)].map(two).join(':');
  const hasTime = value % 1 !== 0;
  const hasDate = /[yd]/i.test(written.replaceAll(/"[^"]*"|\\./g, ''));
  if (!hasDate && value >= 0 && value < 1) return time;
  return hasTime ? `${date} ${time}` : date;
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}

function oneLine(text: string): string {
  return /[\t\r\n]/.test(text) ? text.replaceAll(/[\t\r\n]+/g, ' ') : text;
}
