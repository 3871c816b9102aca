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
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { localDocuments } from '../../src/host/local/documents/documents.ts';
import { packageOf, paragraph, type Parts, wanting, wordParts } from '../support/documents.ts';
import { OUTSIDE_SECRET, tempWorkspace } from '../support/temp-workspace.ts';
import { ALIVE, type Attack, expectAllowed, expectRefused, testAttacks } from './attack-case.ts';
import {
  type Hostile,
  HOSTILE,
  type Library,
  linkingTo,
  sheetWith,
  withDoctype,
} from './hostile-documents.ts';
import { library, type ToolCall } from './surfaces.ts';

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
