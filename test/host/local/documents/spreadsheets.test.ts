/** Workbooks at their edges: very many rows, very long ones, gaps, dates of both kinds, texts of every form. */
import { afterAll, describe, expect, it } from 'vitest';
import { localDocuments } from '../../../../src/host/local/documents/documents.ts';
import type { DocumentPart, DocumentText } from '../../../../src/host/ports.ts';
import { packageOf, wanting, workbookParts } from '../../../support/documents.ts';

const NEVER = new AbortController().signal;
const documents = localDocuments();
afterAll(() => documents[Symbol.dispose]());

function read(bytes: Uint8Array, part: Partial<DocumentPart> = {}): Promise<DocumentText> {
  return documents.read(wanting('.xlsx', part), async () => bytes, { signal: NEVER });
}

/** Rows of the first sheet, without what is said about it. */
function rowsOf({ text }: DocumentText): string[] {
  return text.split('\n').slice(1);
}

function cells(...texts: (string | number)[]): string {
  return texts.map((value) => (typeof value === 'number' ? `<c><v>${value}</v></c>` : value)).join('');
}

const inline = (text: string): string => `<c t="inlineStr"><is><t>${text}</t></is></c>`;

describe('a workbook', () => {
  it('of 200,000 rows is read at any place, with nothing twice and nothing lost', async () => {
    const count = 200_000;
    const numbers = Array.from({ length: count }, (_, index) => index);
    const rows = numbers.map(
      (number) =>
        `<row r="${number + 1}"><c><v>${number}</v></c><c t="s"><v>${number}</v></c><c t="s"><v>0</v></c></row>`,
    );
    const texts = numbers.map((number) => `<si><t>text № ${number}</t></si>`);
    const bytes = packageOf(
      workbookParts(rows.join(''), { 'xl/sharedStrings.xml': `<sst count="1">${texts.join('')}</sst>` }),
    );
    const line = (number: number): string => `${number}\ttext № ${number}\ttext № 0`;
    const first = await read(bytes, { count: 2 });
    expect(rowsOf(first)).toEqual(['(rows 1 to 2 of 200000)', line(0), line(1)]);
    expect({ next: first.next, total: first.total }).toEqual({ next: 3, total: count });
    const page = await read(bytes, { from: 180_001, count: 15_000, maxCharacters: 2_000_000 });
    const last = await read(bytes, { from: page.next!, count: 15_000, maxCharacters: 2_000_000 });
    const seen = [...rowsOf(page).slice(1), ...rowsOf(last).slice(1)];
    expect(seen).toEqual(numbers.slice(180_000).map(line));
    expect({ next: last.next, isCut: last.isCut }).toEqual({ next: undefined, isCut: false });
  });

  it('says where it ends', async () => {
    const bytes = packageOf(workbookParts(`<row r="7">${cells(1)}</row>`));
    expect(rowsOf(await read(bytes, { from: 8 }))).toEqual(['(it ends at row 7)']);
  });
});

describe('a sheet', () => {
  it('is cut after a whole row where the text gets too long, and says so', async () => {
    const rows = [1, 2, 3].map((row) => `<row r="${row}">${inline('x'.repeat(40))}</row>`).join('');
    const read50 = await read(packageOf(workbookParts(rows)), { maxCharacters: 90 });
    expect(rowsOf(read50)).toEqual(['(rows 1 to 2 of 3)', 'x'.repeat(40), 'x'.repeat(40)]);
    expect({ next: read50.next, isCut: read50.isCut }).toEqual({ next: 3, isCut: true });
  });

  it('is cut in a row that alone is too long', async () => {
    const cut = await read(packageOf(workbookParts(`<row r="1">${inline('x'.repeat(100))}</row>`)), {
      maxCharacters: 30,
    });
    expect({ rows: rowsOf(cut), isCut: cut.isCut }).toEqual({ rows: ['x'.repeat(30)], isCut: true });
  });

  it('leaves columns out, and says so', async () => {
    const narrow = await read(packageOf(workbookParts(`<row r="1">${cells(1, 2, 3)}</row>`)), {
      maxColumns: 2,
    });
    expect({ rows: rowsOf(narrow), isCut: narrow.isCut }).toEqual({
      rows: ['(columns after B left out)', '1\t2'],
      isCut: true,
    });
  });

  it('shows small gaps, and counts large ones', async () => {
    const rows = [1, 3, 900].map((row) => `<row r="${row}">${cells(row)}</row>`).join('');
    expect(rowsOf(await read(packageOf(workbookParts(rows))))).toEqual([
      '1',
      '',
      '3',
      '(rows 4 to 899 are empty)',
      '900',
    ]);
  });

  it('has texts of every form', async () => {
    const rows =
      `<row r="1"><c r="A1" t="s"><v>1</v></c><c r="B1" s="0"/><c r="C1" t="str"><f>A1&amp;"x"</f><v>richx</v></c>` +
      `<c r="D1"><f>NOW()</f></c><c r="E1" t="b"><v>0</v></c><c r="F1" t="e"><v>#N/A</v></c><c r="G1"><v>0.30000000000000004</v></c></row>`;
    const sharedStrings =
      '<sst><si><t>unused</t></si><si><r><t>ri</t></r><r><t xml:space="preserve">ch </t></r><rPh><t>no</t></rPh></si></sst>';
    const parts = workbookParts(rows, { 'xl/sharedStrings.xml': sharedStrings });
    expect(rowsOf(await read(packageOf(parts)))).toEqual(['rich \t\trichx\t=NOW()\tFALSE\t#N/A\t0.3']);
  });

  it('tells dates by their format, counted from 1900 or 1904', async () => {
    const styles =
      '<styleSheet><numFmts><numFmt numFmtId="170" formatCode="[h]:mm"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/></cellXfs></styleSheet>';
    const rows = '<row r="1"><c s="0"><v>45000</v></c><c s="1"><v>45000</v></c><c s="2"><v>1.5</v></c></row>';
    const of = (start: string): Buffer => {
      const parts = workbookParts(rows, { 'xl/styles.xml': styles });
      const relations = String(parts['xl/_rels/workbook.xml.rels']);
      return packageOf({
        ...parts,
        'xl/workbook.xml': String(parts['xl/workbook.xml']).replace('<sheets>', `${start}<sheets>`),
        'xl/_rels/workbook.xml.rels': relations.replace(
          '</Relationships>',
          '<Relationship Id="r9" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>',
        ),
      });
    };
    expect(rowsOf(await read(of('')))).toEqual(['45000\t2023-03-15\t1.5']);
    expect(rowsOf(await read(of('<workbookPr date1904="1"/>')))).toEqual(['45000\t2027-03-16\t1.5']);
  });
});
