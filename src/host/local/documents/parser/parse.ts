/** A document from its bytes: what it is, whether that is what its name says, and its text. */
import type { DocumentPart, DocumentText } from '../../../ports.ts';
import { type Archive, openArchive } from './archive.ts';
import { MACROS, notesOf, takePictures } from './package-parts.ts';
import { sheetText } from './sheet-text.ts';
import { damaged, encrypted, renamed } from './trouble.ts';
import { refuseUnsafe, relationsOf } from './xml.ts';

const FORMATS: Readonly<Record<string, Format>> = {
  '.xlsx': 'workbook',
  '.xlsm': 'workbook',
  '.xls': 'old workbook',
  '.docx': 'text',
  '.pdf': 'pdf',
};
type Format = 'workbook' | 'old workbook' | 'text' | 'pdf';

const MEBIBYTE = 2 ** 20;

/** The wanted part of a document. */
export async function parseDocument(bytes: Buffer, wanted: DocumentPart): Promise<DocumentText> {
  const expected = FORMATS[wanted.extension];
  const refuse = (what: string) => renamed(wanted.extension, what);
  if (startsLike(bytes, ZIP)) {
    const archive = await openArchive(bytes);
    const main = await mainPart(archive);
    const format = main.startsWith('xl/') ? 'workbook' : main.startsWith('word/') ? 'text' : undefined;
    if (format === undefined || format !== expected || main.endsWith('.bin'))
      throw refuse(nameOfPackage(archive, main));
    return format === 'workbook' ? workbook(archive, main, wanted) : text(archive, main, wanted);
  }
  if (startsLike(bytes, COMPOUND)) return compound(bytes, wanted, expected);
  if (bytes.subarray(0, 1024).includes('%PDF-')) {
    if (expected !== 'pdf') throw refuse('a PDF');
    return pdf(bytes, wanted);
  }
  throw bytes.length === 0 ? damaged('it is empty') : refuse('not an office document or PDF at all');
}

const ZIP = 'PK\x03\x04';
const COMPOUND = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1';

function startsLike(bytes: Buffer, start: string): boolean {
  return bytes.toString('latin1', 0, start.length) === start;
}

/** The part that everything else belongs to. */
async function mainPart(archive: Archive): Promise<string> {
  if (!archive.has('_rels/.rels')) return '';
  const xml = refuseUnsafe(await archive.read('_rels/.rels', MEBIBYTE)).toString();
  return (
    relationsOf(xml, '').find(({ type, isExternal }) => type === 'officeDocument' && !isExternal)?.target ??
    ''
  );
}

function nameOfPackage(archive: Archive, main: string): string {
  if (main.endsWith('.bin')) return 'a binary workbook (.xlsb)';
  if (main.startsWith('xl/')) return 'a workbook (.xlsx)';
  if (main.startsWith('word/')) return 'a text document (.docx)';
  if (main.startsWith('ppt/')) return 'a presentation (.pptx)';
  return archive.has('mimetype') ? 'an OpenDocument file or the like' : 'a zip archive';
}

async function compound(
  bytes: Buffer,
  wanted: DocumentPart,
  expected: Format | undefined,
): Promise<DocumentText> {
  const { readOldWorkbook, streamNames } = await import('./old-workbook.ts');
  const names = streamNames(bytes);
  if (names.some((name) => /(?:^|\/)EncryptedPackage$/.test(name))) throw encrypted();
  const isWorkbook = names.some((name) => /(?:^|\/)(?:Workbook|Book)$/i.test(name));
  if (!isWorkbook || expected !== 'old workbook')
    throw renamed(
      wanted.extension,
      isWorkbook ? 'an old workbook (.xls)' : 'an old binary document (such as .doc)',
    );
  const hasMacros = names.some((name) => /_VBA_PROJECT/i.test(name));
  return spreadsheet(await readOldWorkbook(bytes, wanted), wanted, {
    notes: hasMacros ? [MACROS] : [],
    pictures: [],
    left: 0,
  });
}

async function workbook(archive: Archive, main: string, wanted: DocumentPart): Promise<DocumentText> {
  const { readWorkbook } = await import('./workbook.ts');
  const read = await readWorkbook(archive, main, wanted);
  return spreadsheet(read, wanted, {
    notes: await notesOf(archive),
    ...(await takePictures(archive, wanted.pictures)),
  });
}

interface Besides {
  readonly notes: readonly string[];
  readonly pictures: DocumentText['pictures'];
  readonly left: number;
}

function spreadsheet(
  { names, sheets, startsIn1904 }: Awaited<ReturnType<typeof import('./workbook.ts').readWorkbook>>,
  wanted: DocumentPart,
  { notes, pictures, left }: Besides,
): DocumentText {
  const texts: string[] = [];
  let room = wanted.maxCharacters;
  let isCut = false;
  let last = wanted.from - 1;
  const unread: string[] = [];
  for (const sheet of sheets) {
    if (room <= 0) {
      unread.push(sheet.name);
      continue;
    }
    const written = sheetText(sheet, { ...wanted, maxCharacters: room, startsIn1904 });
    texts.push(written.text);
    room -= written.text.length + 2;
    isCut ||= written.isCut;
    last = written.to;
  }
  const only = sheets.length === 1 ? sheets[0]! : undefined;
  return {
    kind: 'spreadsheet',
    text: texts.join('\n\n'),
    isCut: isCut || unread.length > 0,
    ...(only === undefined ? {} : { total: only.total, ...(last < only.total ? { next: last + 1 } : {}) }),
    sheets: names.map(({ name, visibility }) => ({ name, isHidden: visibility !== 'visible' })),
    notes: [
      ...notes,
      ...(unread.length === 0 ? [] : [`Sheets that no room was left for: ${unread.join(', ')}.`]),
    ],
    pictures,
    picturesLeft: left,
  };
}

async function text(archive: Archive, main: string, wanted: DocumentPart): Promise<DocumentText> {
  const { readWord } = await import('./word.ts');
  const lines = (await readWord(archive, main)).split('\n');
  const { pictures, left } = await takePictures(archive, wanted.pictures);
  const shown: string[] = [];
  let room = wanted.maxCharacters;
  for (const line of lines.slice(wanted.from - 1, wanted.from - 1 + wanted.count)) {
    if (line.length > room && shown.length > 0) break;
    shown.push(line.slice(0, room));
    room -= line.length + 1;
  }
  const next = wanted.from + shown.length;
  return {
    kind: 'word',
    text: shown.join('\n'),
    isCut: next <= lines.length || room < -1,
    ...(next <= lines.length ? { next } : {}),
    total: lines.length,
    sheets: [],
    notes: await notesOf(archive),
    pictures,
    picturesLeft: left,
  };
}

async function pdf(bytes: Buffer, wanted: DocumentPart): Promise<DocumentText> {
  const { readPdf } = await import('./pdf.ts');
  const { pages, total } = await readPdf(new Uint8Array(bytes), wanted);
  const whole = pages.map(({ number, text }) => `# Page ${number}\n${text || '(no text)'}`).join('\n\n');
  const next = wanted.from + pages.length;
  const isLong = whole.length > wanted.maxCharacters;
  return {
    kind: 'pdf',
    text: whole.slice(0, wanted.maxCharacters),
    isCut: isLong || next <= total,
    ...(next <= total ? { next } : {}),
    total,
    sheets: [],
    notes: isLong ? [`Page ${pages.at(-1)!.number} is cut: it has more text than fits.`] : [],
    pictures: [],
    picturesLeft: 0,
  };
}
