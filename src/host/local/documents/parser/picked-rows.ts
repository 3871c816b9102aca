/** The rows of a sheet that are wanted, picked out while the sheet is unpacked, and what is known of the others. */
import { visitElements } from './elements.ts';
import { tagsOf } from './xml.ts';

export interface RowsWanted {
  readonly from: number;
  readonly count: number;
  /** Rows after so much XML are left out, like those after the count. */
  readonly maxBytes: number;
}

export interface PickedRows {
  /** A whole sheet with these rows and nothing else, as XML. */
  readonly xml: string;
  /** The last row that was picked; one less than the first that was wanted where there is none. */
  readonly to: number;
  /** The last row that holds anything. */
  readonly total: number;
  /** Whether there are rows where no sheet has any; they are not read. */
  readonly hasImpossible: boolean;
  readonly hiddenRows: readonly number[];
  /** From and to, counted from 1. */
  readonly hiddenColumns: readonly (readonly [from: number, to: number])[];
  readonly merged: readonly string[];
}

/** Where a sheet ends. */
const LAST_ROW = 1_048_576;
const MAX_MERGED = 100_000;

/** Goes through a sheet once. */
export async function pickRows(sheet: AsyncIterable<Buffer>, wanted: RowsWanted): Promise<PickedRows> {
  const kept: string[] = [];
  const hiddenRows: number[] = [];
  let [number, total, to, bytes] = [0, 0, wanted.from - 1, 0];
  let isFull = false;
  let hasImpossible = false;
  const { head, tail, prefix } = await visitElements(sheet, { list: 'sheetData', element: 'row' }, (row) => {
    const tag = row.toString('latin1', 0, row.indexOf('>') + 1);
    const given = /\sr\s*=\s*["'](\d+)["']/.exec(tag)?.[1];
    number = given === undefined ? number + 1 : Number(given);
    hasImpossible ||= number < 1 || number > LAST_ROW;
    if (number < 1 || number > LAST_ROW || isEmpty(row)) return true;
    total = Math.max(total, number);
    if (number < wanted.from || number >= wanted.from + wanted.count || isFull) return true;
    bytes += row.length;
    isFull = bytes > wanted.maxBytes && kept.length > 0;
    if (isFull) return true;
    to = number;
    if (/\shidden\s*=\s*["'](?:1|true)["']/.test(tag)) hiddenRows.push(number);
    const text = row.toString('latin1');
    kept.push(given === undefined ? text.replace(/[\s/>]/, ` r="${number}"$&`) : text);
    return true;
  });
  const after = tail.toString('latin1');
  return {
    xml: [`<${prefix}worksheet ${NAMESPACES}><${prefix}sheetData>`, ...kept]
      .concat(`</${prefix}sheetData></${prefix}worksheet>`)
      .join(''),
    to,
    total,
    hasImpossible,
    hiddenRows,
    hiddenColumns: tagsOf(head.toString('latin1'), 'col').flatMap(hiddenSpan),
    merged: tagsOf(after, 'mergeCell')
      .slice(0, MAX_MERGED)
      .map(({ ref = '' }) => ref.slice(0, 40)),
  };
}

const NAMESPACES =
  'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';

const ENDS = Buffer.from('</');

/** Cells that hold nothing but a format have no end of their own. */
function isEmpty(row: Buffer): boolean {
  const first = row.indexOf(ENDS);
  return first === -1 || row.indexOf(ENDS, first + 1) === -1;
}

function hiddenSpan(column: Readonly<Record<string, string>>): [number, number][] {
  const { hidden, min, max } = column;
  if (hidden !== '1' && hidden !== 'true') return [];
  return [[Number(min), Number(max ?? min)]];
}
