/** Elements of a large part, wherever the pieces it comes in are cut. */
import { describe, expect, it } from 'vitest';
import { visitElements } from '../../../../src/host/local/documents/parser/elements.ts';
import { pickRows } from '../../../../src/host/local/documents/parser/picked-rows.ts';

const SHEET =
  '<?xml version="1.0"?><x:worksheet><x:cols><x:col min="2" max="3" hidden="1"/></x:cols><x:sheetData>' +
  '<x:row r="2"><x:c r="A2"><x:v>é</x:v></x:c></x:row>\n<x:row r="3"/><x:rowBreaks/>' +
  '<x:row><x:c t="inlineStr"><x:is><x:t>four</x:t></x:is></x:c></x:row>' +
  '</x:sheetData><x:mergeCells><x:mergeCell ref="A1:B2"/></x:mergeCells></x:worksheet>';

async function* inPieces(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe('visitElements', () => {
  it('finds the same in pieces of every size', async () => {
    for (let size = 1; size <= SHEET.length; size++) {
      const found: string[] = [];
      const { head, tail, prefix } = await visitElements(
        inPieces(SHEET, size),
        { list: 'sheetData', element: 'row' },
        (element) => found.push(element.toString()) > 0,
      );
      expect({ size, head: head.toString(), tail: tail.toString(), prefix, found }).toEqual({
        size,
        head: SHEET.slice(0, SHEET.indexOf('<x:row')),
        tail: SHEET.slice(SHEET.indexOf('</x:sheetData')),
        prefix: 'x:',
        found: [
          '<x:row r="2"><x:c r="A2"><x:v>é</x:v></x:c></x:row>',
          '<x:row r="3"/>',
          '<x:row><x:c t="inlineStr"><x:is><x:t>four</x:t></x:is></x:c></x:row>',
        ],
      });
    }
  });

  it('stops where nobody wants more', async () => {
    const found: Buffer[] = [];
    await visitElements(
      inPieces(SHEET, 7),
      { list: 'sheetData', element: 'row' },
      (element) => found.push(element) < 1,
    );
    expect(found).toHaveLength(1);
  });
});

describe('pickRows', () => {
  it('counts rows that do not say their number, and those that hold something', async () => {
    const picked = await pickRows(inPieces(SHEET, 50), { from: 3, count: 10, maxBytes: 1_000 });
    expect(picked).toMatchObject({ to: 4, total: 4, hiddenColumns: [[2, 3]], merged: ['A1:B2'] });
    expect(picked.xml).toContain(
      '<x:row r="4"><x:c t="inlineStr"><x:is><x:t>four</x:t></x:is></x:c></x:row></x:sheetData>',
    );
  });

  it('leaves rows out that there is no room for', async () => {
    const picked = await pickRows(inPieces(SHEET, 50), { from: 1, count: 10, maxBytes: 10 });
    expect(picked).toMatchObject({ to: 2, total: 4 });
  });
});
