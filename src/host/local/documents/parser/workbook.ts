/**
 * A workbook as a package (.xlsx, .xlsm). The wanted rows of each sheet are picked out while it is unpacked; the library
 * then parses a small workbook that is made of them, and never sees the document itself.
 */
import { read, type WorkSheet } from '@e965/xlsx';
import { Failure } from '../../../../failure.ts';
import type { DocumentPart } from '../../../ports.ts';
import type { Archive } from './archive.ts';
import { pickRows, type PickedRows } from './picked-rows.ts';
import { SharedStrings } from './shared-strings.ts';
import type { ReadSheet, Visibility } from './sheet-text.ts';
import { storedZip } from './stored-zip.ts';
import { damaged } from './trouble.ts';
import { refuseUnsafe, type Relation, relationsOf, relationsPart, tagsOf } from './xml.ts';

const MEBIBYTE = 2 ** 20;
const MAX_SMALL_PART = 16 * MEBIBYTE;
/** A row takes at most so many bytes for each of its characters, nearly always. */
const BYTES_A_CHARACTER = 64;

export interface Workbook {
  /** All sheets, in their order. */
  readonly names: readonly { readonly name: string; readonly visibility: Visibility }[];
  /** Those that were wanted. */
  readonly sheets: readonly ReadSheet[];
  readonly startsIn1904: boolean;
}

interface SheetEntry {
  readonly name: string;
  readonly visibility: Visibility;
  /** Its part; undefined where it is no table, but a chart or a dialog. */
  readonly part: string | undefined;
}

/** Reads the wanted part of a workbook. */
export async function readWorkbook(archive: Archive, main: string, wanted: DocumentPart): Promise<Workbook> {
  const xml = await readText(archive, main);
  const relations = relationsOf(await readText(archive, relationsPart(main)), main);
  const entries = sheetEntries(xml, relations);
  const chosen = chooseSheets(entries, wanted.sheet);
  const strings = new SharedStrings();
  const picked: { entry: SheetEntry; rows: PickedRows; xml: string }[] = [];
  let room = MEBIBYTE + wanted.maxCharacters * BYTES_A_CHARACTER;
  for (const entry of chosen) {
    if (entry.part === undefined || !archive.has(entry.part)) continue;
    const rows = await pickRows(archive.pieces(entry.part), { ...wanted, maxBytes: room });
    room = Math.max(0, room - rows.xml.length);
    picked.push({ entry, rows, xml: strings.refer(rows.xml) });
  }
  const startsIn1904 = /^(?:1|true)$/.test(tagsOf(xml, 'workbookPr')[0]?.['date1904'] ?? '');
  const parsed = parse(
    picked.map((sheet) => sheet.xml),
    await sharedStrings(archive, relations, strings),
    await cellFormats(archive, relations),
  );
  return {
    names: entries,
    startsIn1904,
    sheets: picked.map(({ entry, rows }, index) => ({
      ...entry,
      ...rows,
      from: wanted.from,
      rows: parsed[index]!['!data'] ?? [],
    })),
  };
}

function sheetEntries(workbook: string, relations: readonly Relation[]): SheetEntry[] {
  return tagsOf(workbook, 'sheet').map(({ name = '', state, id }) => {
    const relation = relations.find((one) => one.id === id && !one.isExternal);
    return {
      name,
      visibility: state === 'hidden' ? 'hidden' : state === 'veryHidden' ? 'very hidden' : 'visible',
      part: relation?.type === 'worksheet' ? relation.target : undefined,
    };
  });
}

/** The sheets that are to be read: one by its name, or all. */
export function chooseSheets<Sheet extends { readonly name: string }>(
  sheets: readonly Sheet[],
  wanted: string | undefined,
): readonly Sheet[] {
  if (wanted === undefined) return sheets;
  const found =
    sheets.find(({ name }) => name === wanted) ??
    sheets.find(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  if (found !== undefined) return [found];
  const names = sheets.map(({ name }) => JSON.stringify(name));
  throw new Failure('E_NOT_FOUND', `The workbook has no sheet ${JSON.stringify(wanted)}.`, {
    hint: `Its sheets are ${names.slice(0, 50).join(', ')}.`,
  });
}

async function sharedStrings(
  archive: Archive,
  relations: readonly Relation[],
  strings: SharedStrings,
): Promise<string> {
  const part = relations.find(({ type, isExternal }) => type === 'sharedStrings' && !isExternal)?.target;
  if (part === undefined || !archive.has(part)) return '<sst/>';
  return strings.pick(archive.pieces(part));
}

/** Of the styles only what tells a date from a number. */
async function cellFormats(archive: Archive, relations: readonly Relation[]): Promise<string> {
  const part = relations.find(({ type, isExternal }) => type === 'styles' && !isExternal)?.target;
  if (part === undefined || !archive.has(part)) return '<styleSheet/>';
  const xml = await readText(archive, part);
  const blocks = ['numFmts', 'cellXfs'].map(
    (name) => new RegExp(`<((?:\\w+:)?)${name}(?:\\s[^>]*)?>[^]*?</\\1${name}>`).exec(xml)?.[0] ?? '',
  );
  return `<styleSheet>${blocks.join('')}</styleSheet>`;
}

async function readText(archive: Archive, part: string): Promise<string> {
  return refuseUnsafe(await archive.read(part, MAX_SMALL_PART)).toString();
}

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const SPREADSHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';

/** Parses sheets that share texts and formats. */
function parse(sheets: readonly string[], strings: string, styles: string): WorkSheet[] {
  const files = [
    ...sheets.map((xml, index) => ['worksheet', `worksheets/sheet${index + 1}.xml`, xml] as const),
    ['sharedStrings', 'sharedStrings.xml', strings] as const,
    ['styles', 'styles.xml', Buffer.from(styles).toString('latin1')] as const,
  ];
  const tags = sheets.map((_, index) => `<sheet name="S${index}" sheetId="${index + 1}" r:id="r${index}"/>`);
  const relation = (id: string, type: string, target: string): string =>
    `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`;
  const type = (part: string, name: string): string =>
    `<Override PartName="/${part}" ContentType="${SPREADSHEET}.${name}+xml"/>`;
  const parts: [string, string][] = [
    [
      '[Content_Types].xml',
      `<Types xmlns="${PACKAGE}/content-types">${type('xl/workbook.xml', 'sheet.main')}${files
        .map(([kind, name]) => type(`xl/${name}`, kind))
        .join('')}</Types>`,
    ],
    ['_rels/.rels', relationships(relation('r', 'officeDocument', 'xl/workbook.xml'))],
    [
      'xl/workbook.xml',
      `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${tags.join('')}</sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      relationships(files.map(([kind, name], index) => relation(`r${index}`, kind, name)).join('')),
    ],
    ...files.map(([, name, xml]): [string, string] => [`xl/${name}`, xml]),
  ];
  const zip = storedZip(new Map(parts.map(([name, xml]) => [name, Buffer.from(xml, 'latin1')])));
  const options = {
    type: 'buffer',
    dense: true,
    cellText: false,
    cellNF: true,
    cellHTML: false,
    sheetStubs: true,
  } as const;
  const { Sheets } = read(zip, options);
  return sheets.map((_, index) => {
    const sheet = Sheets[`S${index}`];
    if (sheet === undefined) throw damaged(`sheet ${index + 1} can not be understood`);
    return sheet;
  });
}

function relationships(tags: string): string {
  return `<Relationships xmlns="${PACKAGE}/relationships">${tags}</Relationships>`;
}
