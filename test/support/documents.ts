/** The documents that tests read, what is in them, and small packages made by hand. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import type { DocumentPart } from '../../src/host/ports.ts';

/** The bytes of a document of the fixtures. */
export function documentBytes(name: string): Buffer {
  return readFileSync(join(import.meta.dirname, '../fixtures/documents', name));
}

/** A part that is large enough for everything in the fixtures. */
export function wanting(extension: string, part: Partial<DocumentPart> = {}): DocumentPart {
  const limits = { maxColumns: 200, maxCharacters: 100_000, pictures: { count: 20, bytes: 2 ** 20 } };
  return { extension, from: 1, count: 2_000, ...limits, ...part };
}

/** What stands in the sheets of `stock`. */
export const STOCK = [
  '# Sheet: Склад 仓库',
  '(merged: A1:C1; hidden rows: 5; hidden columns: F)',
  'Inventory of the warehouse',
  'Название\t数量\tPrice\tDate\tChecked at\tSecret\tShare\tSum',
  'Гвоздь\t120\t0.25\t2024-02-29\t2024-02-29 15:30:00\ta hidden word\t0.125\t30',
  '螺丝\t7\t12.5\t1999-12-31\t2024-03-01 00:00:30\tx\t1\t87.5',
  'hidden row\t1',
  'two lines\tTRUE\t#DIV/0!\t08:05:09',
  '',
  '',
  '',
  'Итого 合计\t127\t<tag> & "quotes"',
  '',
  '# Sheet: 隐藏',
  '(hidden sheet)',
  'nobody looks here',
  '',
  '# Sheet: Empty',
  '(empty)',
].join('\n');

/** What stands in `report`, with the name of its picture. */
export function report(picture: string): string {
  return [
    '# Отчёт 报告 Report',
    '',
    'Plain, **bold** and *italic* words[^1], and [a link](https://example.org/page).',
    '',
    '## Lists',
    '',
    '- Первый',
    '   - 内部',
    '- Second',
    '',
    'Between.',
    '',
    '1. one',
    '2. two',
    '',
    '## Table',
    '',
    '| Имя | 数 | a\\|b |',
    '| --- | --- | --- |',
    '| wide |  | tall<br>lines |',
    '| 1 | 2 |  |',
    '',
    `![a red square](${picture})`,
    '',
    '## Second page',
    '',
    'The end, конец, 结束.[^2]',
    '',
    '[^1]: A footnote, сноска, 脚注.',
    '[^2]: An endnote.',
  ].join('\n');
}

/** An entry of a zip; what it declares may be something else than what it is. */
export interface ZipEntry {
  readonly name: string;
  readonly content: Uint8Array | string;
  /** Where it is packed already. */
  readonly packed?: Uint8Array;
  readonly declaredBytes?: number;
  /** The kind and mode that Unix keeps. */
  readonly mode?: number;
}

/** A zip of any entries, with names and sizes as they are given. */
export function zipOf(entries: readonly ZipEntry[]): Buffer {
  const chunks: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const name = Buffer.from(entry.name);
    const content = Buffer.from(entry.content);
    const packed = entry.packed ?? deflateRawSync(content);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(0x0800, 2);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(crc32(content), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(entry.declaredBytes ?? content.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(((entry.mode ?? 0) * 0x10000) >>> 0, 6);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x03', 'latin1'), fields, rest, name);
    chunks.push(Buffer.from('PK\x03\x04', 'latin1'), fields, name, Buffer.from(packed));
    offset += 4 + fields.length + name.length + packed.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  // Only the last 16 bits are kept; readers that want more look into a second record, which is not there.
  end.writeUInt16LE(entries.length & 0xffff, 8);
  end.writeUInt16LE(entries.length & 0xffff, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...chunks, central, end]);
}

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const SHEET_MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const WORD_MAIN = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';

/** Parts that take the place of others, or come in addition. */
export type Parts = Readonly<Record<string, string | Uint8Array>>;

/** The smallest workbook: one sheet with these rows. */
export function workbookParts(rows: string, others: Parts = {}): Parts {
  return {
    '[Content_Types].xml': contentTypes('spreadsheetml', {
      'xl/workbook.xml': 'sheet.main',
      'xl/worksheets/sheet1.xml': 'worksheet',
      'xl/sharedStrings.xml': 'sharedStrings',
    }),
    '_rels/.rels': relationships([['officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml': `<workbook xmlns="${SHEET_MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="Data" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships([
      ['worksheet', 'worksheets/sheet1.xml'],
      ['sharedStrings', 'sharedStrings.xml'],
    ]),
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${SHEET_MAIN}"><sheetData>${rows}</sheetData></worksheet>`,
    ...others,
  };
}

/** The smallest text document, with this body. */
export function wordParts(body: string, others: Parts = {}): Parts {
  return {
    '[Content_Types].xml': contentTypes('wordprocessingml', { 'word/document.xml': 'document.main' }),
    '_rels/.rels': relationships([['officeDocument', 'word/document.xml']]),
    'word/document.xml': `<?xml version="1.0"?><w:document xmlns:w="${WORD_MAIN}" xmlns:r="${OFFICE}"><w:body>${body}</w:body></w:document>`,
    ...others,
  };
}

/** Relations r1, r2 … of a part. */
export function relationships(
  targets: readonly (readonly [type: string, target: string, mode?: string])[],
): string {
  const tags = targets.map(
    ([type, target, mode], index) =>
      `<Relationship Id="r${index + 1}" Type="${OFFICE}/${type}" Target="${target}"${mode === undefined ? '' : ` TargetMode="${mode}"`}/>`,
  );
  return `<Relationships xmlns="${PACKAGE}/relationships">${tags.join('')}</Relationships>`;
}

/** A paragraph of a text document. */
export function paragraph(text: string): string {
  return `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
}

/** Parts as one zip. */
export function packageOf(parts: Parts): Buffer {
  return zipOf(Object.entries(parts).map(([name, content]) => ({ name, content })));
}

function contentTypes(family: string, parts: Readonly<Record<string, string>>): string {
  const overrides = Object.entries(parts).map(
    ([part, type]) =>
      `<Override PartName="/${part}" ContentType="application/vnd.openxmlformats-officedocument.${family}.${type}+xml"/>`,
  );
  const defaults = `<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>`;
  return `<Types xmlns="${PACKAGE}/content-types">${defaults}${overrides.join('')}</Types>`;
}
