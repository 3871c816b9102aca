/**
 * Documents beside the bare libraries, in one run: the start of a large sheet, a large text document, a long PDF. The
 * parser is warm, as it is for every document but the first.
 */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { read as readWorkbook, utils, write } from '@e965/xlsx';
import mammoth from 'mammoth';
import { extractText } from 'unpdf';
import { createRuntime, type Runtime } from '../src/index.ts';
import { packageOf, paragraph, wordParts } from '../test/support/documents.ts';
import { tempWorkspace } from '../test/support/temp-workspace.ts';
import { compare, type Contender, type Plan } from './measure.ts';
import type { Row } from './table.ts';

const PLAN: Plan = { rounds: 9, stretchMs: 1 };
const WARMING = 5;
const ROWS = 100_000;
const PAGES = 100;
const WORD_BYTES = 5 * 2 ** 20;

/** All rows about documents. */
export async function documents(): Promise<Row[]> {
  await using workspace = tempWorkspace();
  await using runtime = await createRuntime({ workspace: workspace.root, locations: workspace.locations });
  const at = (name: string): string => join(workspace.root, name);
  writeFileSync(at('a.xlsx'), largeWorkbook());
  writeFileSync(at('a.docx'), largeText());
  writeFileSync(at('a.pdf'), longPdf());
  const start = performance.now();
  await call(runtime, { path: 'a.pdf', limit: 1 });
  const cold = (performance.now() - start) * 1_000;
  return [
    { what: 'a first document, with the start of its parser', sample: { min: cold, p50: cold, p99: cold } },
    await row(
      `first 50 rows of ${ROWS}`,
      calling(runtime, { path: 'a.xlsx', limit: 50 }),
      'xlsx, sheetRows 50',
      () => readWorkbook(readFileSync(at('a.xlsx')), { sheetRows: 50 }),
    ),
    await row(
      `docx of ${Math.round(statSync(at('a.docx')).size / 2 ** 20)} MB`,
      calling(runtime, { path: 'a.docx' }),
      'mammoth to HTML',
      () => mammoth.convertToHtml({ path: at('a.docx') }),
    ),
    await row(`PDF of ${PAGES} pages`, calling(runtime, { path: 'a.pdf' }), 'unpdf, all pages', () =>
      extractText(new Uint8Array(readFileSync(at('a.pdf')))),
    ),
  ];
}

async function row(what: string, ours: Contender, beside: string, bare: () => unknown): Promise<Row> {
  // Both compile what they run often, each in its own process.
  for (let time = 0; time < WARMING; time++) {
    await ours.once();
    await bare();
  }
  const samples = await compare({ ours, bare: { once: bare } }, PLAN);
  return {
    what,
    sample: samples.ours,
    beside: { what: beside, sample: samples.bare },
    goal: { atMostTimes: 1.3 },
  };
}

function calling(runtime: Runtime, args: object): Contender {
  return { once: () => call(runtime, args), settle: () => runtime.flush() };
}

async function call(runtime: Runtime, args: object): Promise<void> {
  const { outcome, result } = await runtime.call('read_document', args);
  if (outcome !== 'ok') throw new Error(`A measured call ended as ${outcome}: ${result.error?.message}`);
}

function largeWorkbook(): Uint8Array {
  const rows = Array.from({ length: ROWS }, (_, row) => [
    row,
    `name ${row}`,
    row * 1.5,
    `city ${row % 100}`,
    row % 2 === 0,
    `text of row ${row}`,
    45_000 + (row % 1_000),
    `end ${row}`,
  ]);
  const workbook = utils.book_new(utils.aoa_to_sheet(rows), 'Data');
  return write(workbook, {
    type: 'buffer',
    bookType: 'xlsx',
    bookSST: true,
    compression: true,
  }) as Uint8Array;
}

/** Text that packs as text does, and pictures that make up the rest. */
function largeText(): Uint8Array {
  const words = Array.from({ length: 60_000 }, (_, index) =>
    ((index * 2_654_435_761) % 2 ** 32).toString(36),
  );
  const paragraphs = Array.from({ length: 4_000 }, (_, index) =>
    paragraph(words.slice(index * 15, index * 15 + 15).join(' ')),
  );
  const text = wordParts(paragraphs.join(''));
  const picture = Buffer.from(words.join('')).subarray(0, 256 * 1024);
  const room = WORD_BYTES - packageOf(text).length;
  const pictures = Array.from({ length: Math.ceil(room / (picture.length * 0.7)) }, (_, index) => [
    `word/media/image${index}.png`,
    Buffer.from(picture.map((byte) => byte ^ index)),
  ]);
  return packageOf({ ...text, ...(Object.fromEntries(pictures) as Record<string, Buffer>) });
}

/** Pages of twelve lines: what a call can give at once. */
function longPdf(): Uint8Array {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${Array.from({ length: PAGES }, (_, page) => `${4 + page * 2} 0 R`).join(' ')}] /Count ${PAGES} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  for (let page = 0; page < PAGES; page++) {
    const lines = Array.from(
      { length: 40 },
      (_, line) => `(Line ${line} of page ${page}, with some words.) Tj T*`,
    );
    const content = `BT /F1 10 Tf 12 TL 50 780 Td ${lines.join('\n')} ET`;
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + page * 2} 0 R >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    );
  }
  const start = '%PDF-1.4\n';
  let offset = start.length;
  const bodies = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`);
  const places = bodies.map((body) => {
    offset += body.length;
    return `${String(offset - body.length).padStart(10, '0')} 00000 n \n`;
  });
  const end = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${offset}\n%%EOF`;
  return Buffer.from([start, ...bodies, end].join(''), 'latin1');
}
