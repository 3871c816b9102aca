/** Documents that grow, reach out or lie about themselves: class DC of the attack corpus. */
import { deflateRawSync } from 'node:zlib';
import type { FailureCode } from '../../src/failure.ts';
import {
  packageOf,
  paragraph,
  type Parts,
  relationships,
  wordParts,
  workbookParts,
  zipOf,
} from '../support/documents.ts';
import type { TempWorkspace } from '../support/temp-workspace.ts';

/** Ways to read a document with a library alone. */
export type Library = 'workbook' | 'text' | 'text with its files' | 'names';

/** A document that wants to do harm. */
export interface Hostile {
  readonly id: string;
  readonly title: string;
  readonly name: 'a.xlsx' | 'a.docx';
  readonly bytes: (workspace: TempWorkspace) => Buffer;
  /** How it is refused; or, where it is read all the same, what of it must be in the text. */
  readonly refusedWith?: FailureCode;
  readonly says?: string;
  /** The library that it harms, or why it does not. */
  readonly bites: Library | { readonly noProof: string };
}

const bomb = Buffer.alloc(64 * 2 ** 20, ' ');
/** Nothing, packed. */
const NOTHING = deflateRawSync('');
const packedBomb = deflateRawSync(bomb);

/** Parts as a zip, with one of them made anew. */
function withPart(
  parts: Parts,
  name: string,
  part: { content: Uint8Array; packed?: Buffer; declaredBytes?: number },
) {
  const others = Object.entries(parts).filter(([other]) => other !== name);
  return zipOf([...others.map(([other, content]) => ({ name: other, content })), { name, ...part }]);
}

/** A sheet with something before and behind its rows. */
export function sheetWith({
  before = '',
  rows = '<row r="1"><c r="A1"><v>1</v></c></row>',
  after = '',
}): Buffer {
  const parts = workbookParts(rows);
  const sheet = String(parts['xl/worksheets/sheet1.xml'])
    .replace('<sheetData>', `${before}<sheetData>`)
    .replace('</sheetData>', `</sheetData>${after}`);
  return packageOf({ ...parts, 'xl/worksheets/sheet1.xml': sheet });
}

/** A text that stands for another by a declaration. */
export function withDoctype(declaration: string): Buffer {
  const parts = wordParts(paragraph('&x;'));
  const text = String(parts['word/document.xml']).replace('?>', `?><!DOCTYPE d [${declaration}]>`);
  return packageOf({ ...parts, 'word/document.xml': text });
}

const LINKED_PICTURE =
  '<w:p><w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData><pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:blipFill><a:blip r:link="r1"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>';

/** A text with a picture and a template that are elsewhere. */
export function linkingTo(target: string): Buffer {
  return packageOf(
    wordParts(LINKED_PICTURE, {
      'word/_rels/document.xml.rels': relationships([
        ['image', target, 'External'],
        ['attachedTemplate', 'http://127.0.0.1:9/template.dotm', 'External'],
      ]),
    }),
  );
}

const SAFE = 'the library resolves nothing of the kind';

/** Every one of them. */
export const HOSTILE: readonly Hostile[] = [
  {
    id: 'DC-01',
    title: 'a sheet that grows to 13 MB',
    name: 'a.xlsx',
    bytes: () => packageOf(workbookParts('<row><c><v>1</v></c></row>'.repeat(500_000))),
    refusedWith: 'E_TOO_LARGE',
    bites: 'workbook',
  },
  {
    id: 'DC-01',
    title: 'a text that grows to 14 MB',
    name: 'a.docx',
    bytes: () => packageOf(wordParts('<w:p/>'.repeat(2_400_000))),
    refusedWith: 'E_TOO_LARGE',
    bites: 'text',
  },
  {
    id: 'DC-01',
    title: 'a sheet that declares less than it grows to',
    name: 'a.xlsx',
    bytes: () =>
      withPart(workbookParts(''), 'xl/worksheets/sheet1.xml', {
        content: bomb,
        packed: packedBomb,
        declaredBytes: 1_000,
      }),
    refusedWith: 'E_UNSUPPORTED',
    bites: { noProof: 'the library unpacks all of it, in memory that no heap counts, and goes on' },
  },
  {
    id: 'DC-01',
    title: 'a package of 20,000 parts',
    name: 'a.xlsx',
    bytes: () =>
      zipOf([
        ...Object.entries(workbookParts('')).map(([name, content]) => ({ name, content })),
        ...Array.from({ length: 20_000 }, (_, index) => ({
          name: `x/${index}`,
          content: '',
          packed: NOTHING,
        })),
      ]),
    refusedWith: 'E_TOO_LARGE',
    bites: { noProof: 'it takes the library long, but not for ever' },
  },
  {
    id: 'DC-01',
    title: 'a bomb inside an embedded package',
    name: 'a.docx',
    bytes: () =>
      packageOf(
        wordParts(paragraph('harmless'), {
          'word/embeddings/inner.zip': zipOf([{ name: 'x', content: bomb, packed: packedBomb }]),
        }),
      ),
    says: 'harmless',
    bites: { noProof: 'nobody opens it' },
  },
  {
    id: 'DC-02',
    title: 'a document type that names a file',
    name: 'a.docx',
    bytes: ({ outside }) => withDoctype(`<!ENTITY x SYSTEM "file://${outside}/s.txt">`),
    refusedWith: 'E_UNSUPPORTED',
    bites: { noProof: SAFE },
  },
  {
    id: 'DC-03',
    title: 'entities that grow',
    name: 'a.docx',
    bytes: () => {
      const names = 'abcdefghijklmnopqrstuvw'.split('');
      const declared = names.map(
        (name, index) => `<!ENTITY ${name} "${index === 0 ? 'ha' : `&${names[index - 1]};`.repeat(10)}">`,
      );
      return withDoctype(`${declared.join('')}<!ENTITY x "&w;">`);
    },
    refusedWith: 'E_UNSUPPORTED',
    bites: { noProof: SAFE },
  },
  {
    id: 'DC-03',
    title: '200,000 nested elements',
    name: 'a.docx',
    // Names of different length, so that it is not refused for being packed too well.
    bytes: () => {
      const names = Array.from(
        { length: 200_000 },
        (_, index) => `w:x${((index * 7919) % 1_000_003).toString(36)}`,
      );
      return packageOf(
        wordParts(
          names.map((name) => `<${name}>`).join('') +
            names
              .toReversed()
              .map((name) => `</${name}>`)
              .join(''),
        ),
      );
    },
    refusedWith: 'E_TOO_LARGE',
    bites: 'text',
  },
  {
    id: 'DC-04',
    title: 'a picture that is a file elsewhere',
    name: 'a.docx',
    bytes: ({ outside }) => linkingTo(`file://${outside}/s.txt`),
    says: 'which were not fetched: image file://',
    bites: 'text with its files',
  },
  ...['../../x', '/x', 'word\\..\\x', 'word/../../x'].map((name): Hostile => ({
    id: 'DC-05',
    title: `a part named ${name}`,
    name: 'a.docx',
    bytes: () => packageOf(wordParts(paragraph('text'), { [name]: 'planted' })),
    refusedWith: 'E_UNSUPPORTED',
    bites: name === '/x' ? { noProof: 'the library takes the slash for its own' } : 'names',
  })),
  {
    id: 'DC-05',
    title: 'a part that is a link',
    name: 'a.docx',
    bytes: () =>
      zipOf([
        ...Object.entries(wordParts(paragraph('text'))).map(([name, content]) => ({ name, content })),
        { name: 'word/media/image1.png', content: '/etc/hostname', mode: 0o120777 },
      ]),
    refusedWith: 'E_UNSUPPORTED',
    bites: { noProof: 'libraries read links as text' },
  },
  {
    id: 'DC-05',
    title: 'a part that is there twice',
    name: 'a.docx',
    bytes: () =>
      zipOf(
        [
          ...Object.entries(wordParts(paragraph('one'))),
          ...Object.entries(wordParts(paragraph('other'))),
        ].map(([name, content]) => ({ name, content })),
      ),
    refusedWith: 'E_UNSUPPORTED',
    bites: { noProof: 'which one counts is a matter of taste' },
  },
  {
    id: 'DC-06',
    title: 'a row with a number that no sheet has',
    name: 'a.xlsx',
    bytes: () =>
      sheetWith({
        rows: '<row r="1"><c r="A1"><v>7</v></c></row><row r="999999999"><c r="A999999999"><v>1</v></c></row>',
      }),
    says: '(rows beyond the last one of any sheet left out)\\n7',
    bites: 'workbook',
  },
  {
    id: 'DC-06',
    title: 'a cell in a column that no sheet has',
    name: 'a.xlsx',
    bytes: () => sheetWith({ rows: '<row r="1"><c r="A1"><v>7</v></c><c r="ZZZZZZZ1"><v>1</v></c></row>' }),
    says: '# Sheet: Data\\n7',
    bites: 'workbook',
  },
  {
    id: 'DC-06',
    title: 'a link that covers every cell',
    name: 'a.xlsx',
    bytes: () =>
      sheetWith({ after: '<hyperlinks><hyperlink ref="A1:XFD1048576" location="x"/></hyperlinks>' }),
    says: '# Sheet: Data\\n1',
    bites: 'workbook',
  },
  {
    id: 'DC-06',
    title: 'a billion columns with one format',
    name: 'a.xlsx',
    bytes: () => sheetWith({ before: '<cols><col min="1" max="999999999" hidden="1"/></cols>' }),
    says: '(hidden columns: A-XFD)',
    bites: 'workbook',
  },
  {
    id: 'DC-06',
    title: 'merged cells, sizes and counts that are not true',
    name: 'a.xlsx',
    bytes: () =>
      sheetWith({
        before: '<dimension ref="A1:XFD1048576"/>',
        after: '<mergeCells count="1000000000"><mergeCell ref="A1:XFD1048576"/></mergeCells>',
      }),
    says: '(merged: A1:XFD1048576)\\n1',
    bites: { noProof: 'the library believes none of it either' },
  },
  {
    id: 'DC-06',
    title: 'a formula that would start a program',
    name: 'a.xlsx',
    bytes: () => sheetWith({ rows: `<row r="1"><c r="A1"><f>cmd|' /C calc'!A0</f></c></row>` }),
    says: `=cmd|' /C calc'!A0`,
    bites: { noProof: 'libraries calculate nothing' },
  },
  {
    id: 'DC-06',
    title: 'a sheet that is named like what all objects have',
    name: 'a.xlsx',
    bytes: () => {
      const parts = workbookParts('<row r="1"><c r="A1"><v>7</v></c></row>');
      const named = String(parts['xl/workbook.xml']).replace('"Data"', '"__proto__"');
      return packageOf({ ...parts, 'xl/workbook.xml': named });
    },
    says: '# Sheet: __proto__\\n7',
    bites: { noProof: 'harmless since 0.19.3 of the library' },
  },
];
