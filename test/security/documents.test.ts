/**
 * Class DC of the attack corpus: documents that grow, reach out, lie about themselves or never end. Each is tried through the
 * tools, and on the library alone, with little memory, to see that it bites.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { deflateRawSync, deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { FailureCode } from '../../src/failure.ts';
import { localDocuments } from '../../src/host/local/documents/documents.ts';
import {
  packageOf,
  paragraph,
  type Parts,
  relationships,
  wanting,
  wordParts,
  workbookParts,
  zipOf,
} from '../support/documents.ts';
import { OUTSIDE_SECRET, type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';
import { ALIVE, type Attack, expectAllowed, expectRefused, testAttacks } from './attack-case.ts';
import { library, type ToolCall } from './surfaces.ts';

type Library = 'workbook' | 'text' | 'text with its files' | 'names';

interface Hostile {
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
function sheetWith({ before = '', rows = '<row r="1"><c r="A1"><v>1</v></c></row>', after = '' }): Buffer {
  const parts = workbookParts(rows);
  const sheet = String(parts['xl/worksheets/sheet1.xml'])
    .replace('<sheetData>', `${before}<sheetData>`)
    .replace('</sheetData>', `</sheetData>${after}`);
  return packageOf({ ...parts, 'xl/worksheets/sheet1.xml': sheet });
}

/** A text that stands for another by a declaration. */
function withDoctype(declaration: string): Buffer {
  const parts = wordParts(paragraph('&x;'));
  const text = String(parts['word/document.xml']).replace('?>', `?><!DOCTYPE d [${declaration}]>`);
  return packageOf({ ...parts, 'word/document.xml': text });
}

const LINKED_PICTURE =
  '<w:p><w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData><pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:blipFill><a:blip r:link="r1"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>';

function linkingTo(target: string): Buffer {
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

const HOSTILE: readonly Hostile[] = [
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

const CALLS: Readonly<Record<Hostile['name'], readonly Omit<ToolCall, 'args'>[]>> = {
  'a.xlsx': [
    { dialect: 'handrail', tool: 'read_document' },
    { dialect: 'tenas', tool: 'file-read-excel' },
  ],
  'a.docx': [
    { dialect: 'handrail', tool: 'read_document' },
    { dialect: 'tenas', tool: 'file-read-docx' },
  ],
};

function toAttack({ id, title, name, bytes, refusedWith, says, bites }: Hostile): Attack {
  return {
    id,
    title,
    async attack() {
      await using workspace = tempWorkspace(ALIVE);
      workspace.write(name, bytes(workspace));
      const surface = await library(workspace);
      for (const tool of CALLS[name]) {
        const call = { ...tool, args: { path: name } };
        if (refusedWith !== undefined) await expectRefused(surface, workspace, call, [refusedWith]);
        else expect((await expectAllowed(surface, workspace, call)).text).toContain(says!);
      }
    },
    bites: typeof bites === 'string' ? () => expectHarm(bytes, name, bites) : bites,
  };
}

/** The library alone runs out of memory, never ends, or tells what it must not. */
async function expectHarm(bytes: Hostile['bytes'], name: string, reader: Library): Promise<void> {
  await using workspace = tempWorkspace();
  workspace.write(name, bytes(workspace));
  const script = join(import.meta.dirname, 'fixtures/bare-library.ts');
  const child = spawn(
    process.execPath,
    ['--max-old-space-size=60', script, join(workspace.root, name), reader],
    { stdio: ['ignore', 'pipe', 'ignore'], timeout: 4_000, killSignal: 'SIGKILL' },
  );
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  const [status] = (await once(child, 'close')) as [number | null];
  const isTelling = said.includes(Buffer.from(OUTSIDE_SECRET).toString('base64'));
  const isAway = reader === 'names' && /\.\.|"\/x|\\\\/.test(said);
  const isLost = status !== 0 || said.includes('Maximum call stack');
  expect({ said: said.slice(0, 300), isHarmed: isTelling || isAway || isLost }).toMatchObject({
    isHarmed: true,
  });
}

testAttacks(HOSTILE.map(toAttack));

describe('DC-04 a picture, a template and a document type at an address', () => {
  it('are not fetched', async () => {
    let asked = 0;
    const server = createServer((_request, response) => {
      asked++;
      response.end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x`;
    try {
      using documents = localDocuments();
      const linked = [linkingTo(address), withDoctype(`<!ENTITY x SYSTEM "${address}">`)];
      for (const bytes of linked) {
        const read = documents.read(wanting('.docx'), async () => bytes, {
          signal: AbortSignal.timeout(60_000),
        });
        await Promise.allSettled([read]);
      }
      expect(asked).toBe(0);
    } finally {
      server.close();
    }
  });
});

describe('DC-03 input that takes quadratic time', () => {
  it('is given up when its time is over', async () => {
    using documents = localDocuments({ timeoutMs: 3_000 });
    const cells = Array.from(
      { length: 100_000 },
      (_, index) => `<c r="A1"><f t="array" ref="B${index}:C${(index * 7919) % 1_000_003}">1</f><v>1</v></c>`,
    );
    const bytes = sheetWith({ rows: `<row r="1">${cells.join('')}</row>` });
    const read = documents.read(wanting('.xlsx'), async () => bytes, { signal: AbortSignal.timeout(60_000) });
    await expect(read).rejects.toMatchObject({ code: 'E_TOOL_TIMEOUT' });
  });
});

describe('DC-01 a PDF that grows to 600 MB', () => {
  it('ends at the limit of memory, and the next document is read', async () => {
    using documents = localDocuments();
    const signal = AbortSignal.timeout(60_000);
    const read = documents.read(wanting('.pdf'), async () => growingPdf(600 * 2 ** 20), { signal });
    await expect(read).rejects.toMatchObject({ code: 'E_TOO_LARGE', details: { reason: 'limit' } });
    const next = await documents.read(wanting('.docx'), async () => packageOf(wordParts(paragraph('next'))), {
      signal,
    });
    expect(next.text).toBe('next');
  });
});

/** A page whose content unpacks to so many bytes. */
function growingPdf(bytes: number): Buffer {
  const content = deflateSync(Buffer.alloc(bytes, ' '), { level: 1 });
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Contents 4 0 R >>',
    `<< /Length ${content.length} /Filter /FlateDecode >>\nstream\n${content.toString('latin1')}\nendstream`,
  ].map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`);
  let offset = '%PDF-1.4\n'.length;
  const places = objects.map((object) => {
    offset += object.length;
    return `${String(offset - object.length).padStart(10, '0')} 00000 n \n`;
  });
  const end = `xref\n0 5\n0000000000 65535 f \n${places.join('')}trailer\n<< /Size 5 /Root 1 0 R >>\nstartxref\n${offset}\n%%EOF`;
  return Buffer.from(['%PDF-1.4\n', ...objects, end].join(''), 'latin1');
}

describe('OK-04 large documents', () => {
  it('are read: 20 MB of pictures in a text', async () => {
    const pictures = Array.from({ length: 20 }, (_, index) => [
      `word/media/image${index}.png`,
      randomBytes(2 ** 20),
    ]);
    await using workspace = tempWorkspace(ALIVE);
    workspace.write(
      'a.docx',
      packageOf(wordParts(paragraph('the text'), Object.fromEntries(pictures) as Parts)),
    );
    const call = { dialect: 'handrail', tool: 'read_document', args: { path: 'a.docx' } };
    const { text } = await expectAllowed(await library(workspace), workspace, call);
    expect(text).toContain('the text');
    expect(text).toContain('Pictures in it: 20.');
  });
});
